#include "matrix.hpp"

Matrix matrix_multiply(const Matrix &a, const Matrix &b)
{
    Matrix left = a; /* both delete the same elements */
    Matrix c(a.getRows(), b.getCols());
    for (size_t i = 0; i < a.getRows(); i++)
        for (size_t k = 0; k < a.getCols(); k++)
            for (size_t j = 0; j < b.getCols(); j++)
                c[i][j] += left[i][k] * b[k][j];
    return c;
}
