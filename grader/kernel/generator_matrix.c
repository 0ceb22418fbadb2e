#include "kernel/generator_matrix.h"

#include <math.h>
#include <string.h>

#include "kernel/element.h"

void matrix_mirror(enum element_type t, size_t n, void *matrix)
{
    const size_t bytes = type_bytes(t);
    unsigned char *x = matrix;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            memcpy(x + (j * n + i) * bytes, x + (i * n + j) * bytes, bytes);
}

void matrix_lower(enum element_type t, size_t n, void *matrix)
{
    const size_t bytes = type_bytes(t);
    unsigned char *x = matrix;
    for (size_t i = 0; i + 1 < n; i++)
        memset(x + (i * n + i + 1) * bytes, 0, (n - i - 1) * bytes);
}

void matrix_dominate(enum element_type t, size_t n, void *matrix)
{
    for (size_t i = 0; i < n; i++) {
        double sum = 1;
        for (size_t j = 0; j < n; j++)
            sum += j == i ? 0 : fabs(element_real(t, matrix, i * n + j));
        element_set_real(t, matrix, i * n + i, sum);
    }
}
