/* scan.c - trusted sources of 30 to 34. */

void prefix_sum(int n, const double *x, double *y)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = sum += x[i];
}

void prefix_minimum(int n, float *x)
{
    for (int i = 1; i < n; i++)
        if (x[i - 1] < x[i])
            x[i] = x[i - 1];
}

double sum_of_prefix_sums(int n, const double *x)
{
    double sum = 0, all = 0;
    for (int i = 0; i < n; i++)
        all += sum += x[i];
    return all;
}

void reverse_prefix_sum(int n, const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = sum += x[n - 1 - i];
}

int largest_segment(int n, const int *x)
{
    int ending = x[0], most = x[0];
    for (int i = 1; i < n; i++) {
        ending = ending > 0 ? ending + x[i] : x[i];
        most = ending > most ? ending : most;
    }
    return most;
}
