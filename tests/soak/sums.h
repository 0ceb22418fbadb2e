/*
 * sums.h - products of floating-point matrices as careful people compute them, in many orders. It
 * is included once for each type, by a file that defines REAL, NAME(x), and FMA(a, b, c): a * b + c
 * with one rounding.
 *
 * Each function computes C = A B; A is m x k, B is k x n. None uses fewer bits than a REAL has.
 */
typedef void NAME(product)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c);

/* row += a[k] * row k of B, for the given k. */
static void NAME(add_term)(int n, REAL a, const REAL *b, REAL *row)
{
    for (int j = 0; j < n; j++)
        row[j] += a * b[j];
}

static void NAME(in_order)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c)
{
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            NAME(add_term)(n, a[(size_t)i * k + l], b + (size_t)l * n, c + (size_t)i * n);
}

static void NAME(backwards)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c)
{
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int i = 0; i < m; i++)
        for (int l = k - 1; l >= 0; l--)
            NAME(add_term)(n, a[(size_t)i * k + l], b + (size_t)l * n, c + (size_t)i * n);
}

/* Products are not rounded before they are added. */
__attribute__((target("fma"))) static void NAME(fused)(int m, int n, int k, const REAL *a,
                                                       const REAL *b, REAL *c)
{
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++)
                c[(size_t)i * n + j] =
                    FMA(a[(size_t)i * k + l], b[(size_t)l * n + j], c[(size_t)i * n + j]);
}

/* Blocks of 64 terms, as in blocked kernels: each is summed on its own. */
static void NAME(blocked)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c)
{
    REAL *part = calloc((size_t)n, sizeof *part);
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int i = 0; i < m; i++)
        for (int from = 0; from < k; from += 64) {
            memset(part, 0, (size_t)n * sizeof *part);
            for (int l = from; l < k && l < from + 64; l++)
                NAME(add_term)(n, a[(size_t)i * k + l], b + (size_t)l * n, part);
            for (int j = 0; j < n; j++)
                c[(size_t)i * n + j] += part[j];
        }
    free(part);
}

/* Four partial sums, of every fourth term, as vector code has. */
static void NAME(lanes)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c)
{
    REAL *part = calloc((size_t)n * 4, sizeof *part);
    for (int i = 0; i < m; i++) {
        memset(part, 0, (size_t)n * 4 * sizeof *part);
        for (int l = 0; l < k; l++)
            NAME(add_term)(n, a[(size_t)i * k + l], b + (size_t)l * n, part + (size_t)(l % 4) * n);
        for (int j = 0; j < n; j++)
            c[(size_t)i * n + j] =
                (part[j] + part[n + j]) + (part[2 * (size_t)n + j] + part[3 * (size_t)n + j]);
    }
    free(part);
}

/* The blocks of 16 terms come in another order for each row, as with atomic additions. */
static void NAME(shuffled)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c)
{
    const int blocks = (k + 15) / 16;
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int i = 0; i < m; i++)
        for (int x = 0; x < blocks; x++) {
            const int from = 16 * ((x + i * 7) % blocks);
            for (int l = from; l < k && l < from + 16; l++)
                NAME(add_term)(n, a[(size_t)i * k + l], b + (size_t)l * n, c + (size_t)i * n);
        }
}

static void NAME(halves)(int n, int k, const REAL *a, const REAL *b, REAL *row, REAL *room)
{
    memset(row, 0, (size_t)n * sizeof *row);
    if (k <= 4) {
        for (int l = 0; l < k; l++)
            NAME(add_term)(n, a[l], b + (size_t)l * n, row);
        return;
    }
    NAME(halves)(n, k / 2, a, b, row, room + n);
    NAME(halves)(n, k - k / 2, a + k / 2, b + (size_t)(k / 2) * n, room, room + n);
    for (int j = 0; j < n; j++)
        row[j] += room[j];
}

static void NAME(pairwise)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c)
{
    REAL *room = calloc((size_t)n * 40, sizeof *room);
    for (int i = 0; i < m; i++)
        NAME(halves)(n, k, a + (size_t)i * k, b, c + (size_t)i * n, room);
    free(room);
}

/* W. Kahan, Further remarks on reducing truncation errors, CACM 8 (1965). */
static void NAME(kahan)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c)
{
    REAL *lost = calloc((size_t)n, sizeof *lost);
    memset(c, 0, (size_t)m * (size_t)n * sizeof *c);
    for (int i = 0; i < m; i++) {
        REAL *row = c + (size_t)i * n;
        memset(lost, 0, (size_t)n * sizeof *lost);
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++) {
                const REAL term = a[(size_t)i * k + l] * b[(size_t)l * n + j] - lost[j];
                const REAL sum = row[j] + term;
                lost[j] = (sum - row[j]) - term;
                row[j] = sum;
            }
    }
    free(lost);
}

/* out = x + sign y, for blocks of s x s in matrices with these leading dimensions. */
static void NAME(combine)(int s, const REAL *x, int ldx, const REAL *y, int ldy, REAL sign,
                          REAL *out)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            out[(size_t)i * s + j] = x[(size_t)i * ldx + j] + sign * y[(size_t)i * ldy + j];
}

static void NAME(copy_block)(int s, const REAL *x, int ldx, REAL *out)
{
    for (int i = 0; i < s; i++)
        memcpy(out + (size_t)i * s, x + (size_t)i * ldx, (size_t)s * sizeof *out);
}

/* V. Strassen, Gaussian elimination is not optimal, Numer. Math. 13 (1969). */
static void NAME(strassen)(int levels, int s, const REAL *a, const REAL *b, REAL *c)
{
    if (levels == 0 || s % 2) {
        NAME(in_order)(s, s, s, a, b, c);
        return;
    }
    const int h = s / 2;
    const size_t block = (size_t)h * (size_t)h;
    const REAL *a11 = a, *a12 = a + h, *a21 = a + (size_t)h * s, *a22 = a21 + h;
    const REAL *b11 = b, *b12 = b + h, *b21 = b + (size_t)h * s, *b22 = b21 + h;
    REAL *x = calloc(9 * block, sizeof *x), *y = x + block, *p = y + block;
#define PART(i) (p + (size_t)((i)-1) * block)
    NAME(combine)(h, a11, s, a22, s, 1, x);
    NAME(combine)(h, b11, s, b22, s, 1, y);
    NAME(strassen)(levels - 1, h, x, y, PART(1));
    NAME(combine)(h, a21, s, a22, s, 1, x);
    NAME(copy_block)(h, b11, s, y);
    NAME(strassen)(levels - 1, h, x, y, PART(2));
    NAME(copy_block)(h, a11, s, x);
    NAME(combine)(h, b12, s, b22, s, -1, y);
    NAME(strassen)(levels - 1, h, x, y, PART(3));
    NAME(copy_block)(h, a22, s, x);
    NAME(combine)(h, b21, s, b11, s, -1, y);
    NAME(strassen)(levels - 1, h, x, y, PART(4));
    NAME(combine)(h, a11, s, a12, s, 1, x);
    NAME(copy_block)(h, b22, s, y);
    NAME(strassen)(levels - 1, h, x, y, PART(5));
    NAME(combine)(h, a21, s, a11, s, -1, x);
    NAME(combine)(h, b11, s, b12, s, 1, y);
    NAME(strassen)(levels - 1, h, x, y, PART(6));
    NAME(combine)(h, a12, s, a22, s, -1, x);
    NAME(combine)(h, b21, s, b22, s, 1, y);
    NAME(strassen)(levels - 1, h, x, y, PART(7));
    for (size_t i = 0; i < (size_t)h; i++)
        for (size_t j = 0; j < (size_t)h; j++) {
            const size_t at = i * (size_t)h + j;
            REAL *out = c + i * (size_t)s + j;
            out[0] = PART(1)[at] + PART(4)[at] - PART(5)[at] + PART(7)[at];
            out[h] = PART(3)[at] + PART(5)[at];
            out[(size_t)h * s] = PART(2)[at] + PART(4)[at];
            out[(size_t)h * s + h] = PART(1)[at] - PART(2)[at] + PART(3)[at] + PART(6)[at];
        }
#undef PART
    free(x);
}

/* For cubes of a multiple of 16; other shapes are computed in order. */
#define STRASSEN(levels)                                                                           \
    static void NAME(strassen##levels)(int m, int n, int k, const REAL *a, const REAL *b, REAL *c) \
    {                                                                                              \
        if (m == n && n == k && m % 16 == 0)                                                       \
            NAME(strassen)(levels, m, a, b, c);                                                    \
        else                                                                                       \
            NAME(in_order)(m, n, k, a, b, c);                                                      \
    }
STRASSEN(1)
STRASSEN(2)
STRASSEN(3)
STRASSEN(4)
#undef STRASSEN

static NAME(product) *const NAME(products)[] = {
    NAME(in_order),  NAME(backwards), NAME(fused),     NAME(blocked),
    NAME(lanes),     NAME(shuffled),  NAME(pairwise),  NAME(kahan),
    NAME(strassen1), NAME(strassen2), NAME(strassen3), NAME(strassen4),
};
