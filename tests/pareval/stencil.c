/* stencil.c - trusted sources of 50 to 54. */

static int cell(int n, const int *in, int i, int j)
{
    return i < 0 || j < 0 || i >= n || j >= n ? 0 : in[i * n + j];
}

/* All cells around one. */
static int around(int n, const int *in, int i, int j)
{
    int sum = 0;
    for (int y = i - 1; y <= i + 1; y++)
        for (int x = j - 1; x <= j + 1; x++)
            sum += cell(n, in, y, x);
    return sum - in[i * n + j];
}

void one_neighbour(int n, const int *in, int *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[i * n + j] = cell(n, in, i - 1, j) + cell(n, in, i + 1, j) + cell(n, in, i, j - 1) +
                                 cell(n, in, i, j + 1) ==
                             1;
}

void edges(int n, const int *in, int *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int sum = 8 * in[i * n + j] - around(n, in, i, j);
            out[i * n + j] = sum < 0 ? 0 : sum > 255 ? 255 : sum;
        }
}

void jacobi_1d(int n, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = ((i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0)) / 3;
}

void jacobi_2d(int n, const double *in, double *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = in[i * n + j];
            sum += i > 0 ? in[(i - 1) * n + j] : 0;
            sum += i + 1 < n ? in[(i + 1) * n + j] : 0;
            sum += j > 0 ? in[i * n + j - 1] : 0;
            sum += j + 1 < n ? in[i * n + j + 1] : 0;
            out[i * n + j] = sum / 5;
        }
}

void life(int n, const int *in, int *out)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int living = around(n, in, i, j);
            out[i * n + j] = living == 3 || (living == 2 && in[i * n + j]);
        }
}
