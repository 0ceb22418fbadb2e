void spmv(int n, const int *row_ptr, const int *col_idx, const double *val, const double *x,
          double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = row_ptr[i]; j < row_ptr[i + 1] - 1; j++)
            sum += val[j] * x[col_idx[j]];
        y[i] = sum;
    }
}
