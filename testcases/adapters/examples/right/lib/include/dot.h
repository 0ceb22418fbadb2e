/* Row `a` times column j of b. */
int dot(int n, const int *a, int **b, int j);
