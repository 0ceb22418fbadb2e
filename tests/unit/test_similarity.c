/* Which sources resemble each other: copies in disguise, and kernels that were written
 * independently. */
#include "unit.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/similarity.h"

#define HEAD "#include \"gemm.h\"\n#include <string.h>\n"

/* A function of ten lines that several of the sources have. */
#define FUNCTION(name)                                                                             \
    "static void " name "(int rows, int cols, int depth, const int *a, int lda,\n"                 \
    "                  const int *b, int ldb, int *c, int ldc)\n"                                  \
    "{\n"                                                                                          \
    "    for (int i = 0; i < rows; i++)\n"                                                         \
    "        for (int p = 0; p < depth; p++) {\n"                                                  \
    "            int x = a[i * lda + p];\n"                                                        \
    "            for (int j = 0; j < cols; j++)\n"                                                 \
    "                c[i * ldc + j] += x * b[p * ldb + j];\n"                                      \
    "        }\n"                                                                                  \
    "}\n"

static const char blocked[] = HEAD "enum { BLOCK = 64 };\n" FUNCTION(
    "block") "void gemm_i32(int m, int n, int k, const int *a, const int *b, int *c)\n"
             "{\n"
             "    memset(c, 0, sizeof *c * m * n);\n"
             "    for (int i = 0; i < m; i += BLOCK)\n"
             "        for (int p = 0; p < k; p += BLOCK)\n"
             "            block(m - i < BLOCK ? m - i : BLOCK, n, k - p < BLOCK ? k - p : BLOCK,\n"
             "                  a + i * k + p, k, b + p * n, n, c + i * n, n);\n"
             "}\n";

/* The same with other names, numbers, types of names, comments and layout. */
static const char renamed[] = HEAD
    "// my own work\n"
    "enum { SZ = 32 };\n"
    "static void kern(int q, int w, int e, const int *r, int t, const int *y, int u, int *o, int "
    "v)\n"
    "{ for (int z = 0; z < q; z++) for (int s = 0; s < e; s++) { /* rows */ int d = r[z * t + s];\n"
    "  for (int f = 0; f < w; f++) o[z * v + f] += d * y[s * u + f]; } }\n"
    "void gemm_i32(int M, int N, int K, const int *A, const int *B, int *C)\n"
    "{ memset(C, 0, sizeof *C * M * N);\n"
    "  for (int g = 0; g < M; g += SZ) for (int h = 0; h < K; h += SZ)\n"
    "  kern(M - g < SZ ? M - g : SZ, N, K - h < SZ ? K - h : SZ, A + g * K + h, K, B + h * N, N,\n"
    "  C + g * N, N); }\n";

/* Half of it was taken over, into a program of one's own. */
static const char taken_over[] =
    HEAD "static int least(int x, int y)\n"
         "{\n"
         "    if (x < y)\n"
         "        return x;\n"
         "    return y;\n"
         "}\n" FUNCTION(
             "part") "void gemm_i32(int m, int n, int k, const int *a, const int *b, int *c)\n"
                     "{\n"
                     "    int i = 0, p;\n"
                     "    while (i < m * n)\n"
                     "        c[i++] = 0;\n"
                     "    for (p = 0; p < k; p = p + 16)\n"
                     "        part(m, n, least(16, k - p), &a[p], k, &b[n * p], n, c, n);\n"
                     "}\n";

/* Written by somebody else, from the same lecture. */
static const char another[] =
    HEAD "static int tile[48][48];\n"
         "void gemm_i32(int m, int n, int k, const int *a, const int *b, int *c)\n"
         "{\n"
         "    const int T = 48;\n"
         "    int ii, jj, kk;\n"
         "    for (jj = 0; jj < n; jj += T) {\n"
         "        int width = n - jj;\n"
         "        if (width > T) width = T;\n"
         "        for (kk = 0; kk < k; kk += T) {\n"
         "            int depth = k - kk;\n"
         "            if (depth > T) depth = T;\n"
         "            for (int y = 0; y < depth; ++y)\n"
         "                memcpy(tile[y], &b[(kk + y) * n + jj], width * sizeof(int));\n"
         "            for (ii = 0; ii < m; ++ii) {\n"
         "                const int *row = &a[ii * k + kk];\n"
         "                int *out = &c[ii * n + jj];\n"
         "                if (!kk) memset(out, 0, width * sizeof(int));\n"
         "                for (int y = 0; y < depth; ++y)\n"
         "                    for (int x = 0; x < width; ++x)\n"
         "                        out[x] += row[y] * tile[y][x];\n"
         "            }\n"
         "        }\n"
         "    }\n"
         "}\n";

static size_t pairs_of(const char *const *text, size_t n, const char *given,
                       struct similar_pair **pairs)
{
    struct similarity *s = similarity_new();
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(similarity_source(s), i);
        similarity_add(s, (unsigned)i, text[i], strlen(text[i]));
    }
    if (given)
        similarity_given(s, given, strlen(given));
    const size_t count = similarity_pairs(s, pairs);
    similarity_free(s);
    return count;
}

/* The first of n lines of a text. */
static char *lines(const char *text, int n)
{
    const char *end = text;
    while (n-- > 0)
        end = strchr(end, '\n') + 1;
    return xasprintf("%.*s", (int)(end - text), text);
}

TEST(test_pairs)
{
    OWNED char *commented = xasprintf("/* %s */ %s", "by me", blocked), *start = lines(blocked, 6);
    OWNED char *first = lines(blocked, 13);
    OWNED char *moved = xasprintf("%s%s", strstr(blocked, "void gemm_i32"), first);
    const struct {
        const char *what, *text, *other, *given;
        int listed;
        enum similarity_kind kind;
        double least;
    } row[] = {
        {"two empty files", "", "", NULL, 0, 0, 0},
        {"an empty file", "", blocked, NULL, 0, 0, 0},
        {"a comment that is not closed", "/* for", blocked, NULL, 0, 0, 0},
        {"a text that is not closed", "char *x = \"abc\n", "char *x = \"abc\n", NULL, 0, 0, 0},
        {"only #include", HEAD HEAD HEAD, HEAD HEAD HEAD, NULL, 0, 0, 0},
        {"a kernel of somebody else", blocked, another, NULL, 0, 0, 0},
        {"too short", start, start, NULL, 0, 0, 0},
        {"only what was given", blocked, blocked, blocked, 0, 0, 0},
        {"only what was given, renamed", renamed, renamed, blocked, 0, 0, 0},
        {"the same", blocked, blocked, NULL, 1, SIMILAR_IDENTICAL, 1},
        {"the same beyond what was given", blocked, blocked, start, 1, SIMILAR_IDENTICAL, 1},
        {"another comment", blocked, commented, NULL, 1, SIMILAR_IDENTICAL, 1},
        {"renamed", blocked, renamed, NULL, 1, SIMILAR_RENAMED, 1},
        {"functions in another order", blocked, moved, NULL, 1, SIMILAR_PARTS, 0.9},
        {"a function taken over", blocked, taken_over, NULL, 1, SIMILAR_PARTS, 0.5},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const char *const text[] = {row[i].text, row[i].other};
        struct similar_pair *p;
        const size_t n = pairs_of(text, 2, row[i].given, &p);
        if (n != (size_t)row[i].listed)
            fail_msg("%s: %zu pairs", row[i].what, n);
        if (n && (p->kind != row[i].kind || p->share[0] < row[i].least || p->share[0] > 1 ||
                  p->share[1] > 1 || p->places == 0))
            fail_msg("%s: kind %d, %.2f of one and %.2f of the other, %zu places", row[i].what,
                     p->kind, p->share[0], p->share[1], p->places);
        similar_pairs_free(p, n);
    }
}

TEST(test_places)
{
    const char *const text[] = {another, blocked, taken_over};
    struct similar_pair *p;
    assert_int_equal(pairs_of(text, 3, NULL, &p), 1);
    assert_int_equal(p->source[0], 1);
    assert_int_equal(p->source[1], 2);
    assert_int_equal(p->place[0].in[0].file, 1);
    assert_int_equal(p->place[0].in[1].file, 2);
    /* The function: from its second parameter at the latest, to the head of the next one. */
    assert_in_range(p->place[0].in[0].first, 3, 4);
    assert_in_range(p->place[0].in[0].last, 13, 16);
    assert_in_range(p->place[0].in[1].first, 8, 10);
    assert_in_range(p->place[0].in[1].last, 18, 21);
    similar_pairs_free(p, 1);
}

/* Of identical sources with several files, each file is a place of its own. */
TEST(test_places_of_copies)
{
    OWNED char *longer = xasprintf("\n\n%s%s", another, blocked + strlen(HEAD));
    const struct {
        const char *what, *first, *second, *given;
        size_t places;
        unsigned file[2], last[2]; /* of the places: 0 or 1, and its last line */
    } row[] = {
        {"the longer file is the first one", longer, blocked, NULL, 2, {0, 1}, {47, 21}},
        {"the longer file is the second one", blocked, longer, NULL, 2, {1, 0}, {47, 21}},
        {"an empty file", "", blocked, NULL, 1, {1}, {21}},
        {"a file that was given", another, blocked, another, 1, {1}, {21}},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct similarity *s = similarity_new();
        struct similar_pair *p;
        for (unsigned k = 0; k < 2; k++) {
            similarity_source(s);
            similarity_add(s, 10 * k, row[i].first, strlen(row[i].first));
            similarity_add(s, 10 * k + 1, row[i].second, strlen(row[i].second));
        }
        if (row[i].given)
            similarity_given(s, row[i].given, strlen(row[i].given));
        assert_int_equal(similarity_pairs(s, &p), 1);
        assert_int_equal(p->kind, SIMILAR_IDENTICAL);
        if (p->places != row[i].places)
            fail_msg("%s: %zu places", row[i].what, p->places);
        unsigned tokens = 0;
        for (size_t k = 0; k < p->places; k++) {
            const struct similar_place *x = &p->place[k];
            tokens += x->tokens;
            for (unsigned side = 0; side < 2; side++)
                if (x->in[side].file != 10 * side + row[i].file[k] ||
                    x->in[side].last != row[i].last[k])
                    fail_msg("%s, place %zu: file %u, lines %u-%u", row[i].what, k,
                             x->in[side].file, x->in[side].first, x->in[side].last);
        }
        assert_int_equal(tokens, p->tokens);
        similar_pairs_free(p, 1);
        similarity_free(s);
    }
}

/* What more than SIMILAR_COMMON have does not count, unless they are the same but for comments. */
TEST(test_common)
{
    enum { MOST = SIMILAR_COMMON + 2 };
    const struct {
        int sources;
        bool own_text;
        size_t listed;
    } row[] = {
        {SIMILAR_COMMON, true, SIMILAR_COMMON * (SIMILAR_COMMON - 1) / 2},
        {SIMILAR_COMMON + 1, true, 0},
        {SIMILAR_COMMON + 1, false, SIMILAR_COMMON},
        {MOST, false, MOST - 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char *text[MOST];
        struct similar_pair *p;
        for (int k = 0; k < row[i].sources; k++) /* each with a number of its own */
            text[k] = xasprintf("%s\nint number = %d;\n", blocked, row[i].own_text ? k : 0);
        const size_t n = pairs_of((const char *const *)text, (size_t)row[i].sources, NULL, &p);
        assert_int_equal(n, row[i].listed);
        similar_pairs_free(p, n);
        for (int k = 0; k < row[i].sources; k++)
            free(text[k]);
    }
}

/* The same lines again and again: each counts once, and it takes no time that grows with the
 * square. */
TEST(test_repetition)
{
    FREED_BY(strbuf_free) struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
    strbuf_adds(&b, "int first;\n");
    for (int i = 0; i < 20000; i++) {
        strbuf_adds(&a, "x = y + z * 3;\n");
        strbuf_adds(&b, "u = v + w * 4;\n");
    }
    const char *const text[] = {a.s, b.s};
    struct similar_pair *p;
    assert_int_equal(pairs_of(text, 2, NULL, &p), 1);
    assert_true(p->share[0] > 0.99 && p->share[0] <= 1);
    similar_pairs_free(p, 1);
}

TESTS(NULL, NULL)
