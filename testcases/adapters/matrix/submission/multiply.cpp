#include "matrix.h"

Matrix multiply(const Matrix &a, const Matrix &b)
{
    Matrix c(a.rows(), b.columns());
    for (int i = 0; i < a.rows(); i++)
        for (int k = 0; k < a.columns(); k++)
            for (int j = 0; j < b.columns(); j++)
                c(i, j) += a(i, k) * b(k, j);
    return c;
}
