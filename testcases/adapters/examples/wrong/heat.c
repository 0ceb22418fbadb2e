#include <stdlib.h>
#include <string.h>

void heat(int rows, int columns, double *u, double c, int steps)
{
    size_t bytes = sizeof(double) * rows * columns;
    double *old = u, *new = malloc(bytes);
    memcpy(new, u, bytes);
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++) {
                int p = i * columns + j;
                new[p] = old[p] + c *(old[p - columns] + old[p + columns] + old[p - 1] +
                                      old[p + 1] - 4 * old[p]);
            }
    }
    memcpy(u, new, bytes);
    free(new);
}
