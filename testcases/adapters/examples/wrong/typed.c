/* Reads n and two matrices from stdin, and prints their product. Uses as many threads as its
 * argument says. */
#include <stdio.h>
#include <stdlib.h>

#define MOST 512

int a[MOST][MOST], b[MOST][MOST], c[MOST][MOST];

void ask(int n, int m[MOST][MOST], const char *name)
{
    printf("Enter the elements of %s:\n", name);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            scanf("%d", &m[i][j]);
}

int main(int argc, char **argv)
{
    int n, threads = argc > 1 ? atoi(argv[1]) : 1;
    printf("Enter n: ");
    scanf("%d", &n);
    ask(n, a, "A");
    ask(n, b, "B");
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[j][k];
    printf("\nThe product, by %d threads:\n", threads);
    for (int i = 0; i < n; i++, printf("\n"))
        for (int j = 0; j < n; j++)
            printf("%d\t", c[i][j]);
}
