// The class is used in another way: see adapter_names.h.
#include "matrix.h"

Mat Mat::multiply(const Mat &other) const
{
    Mat product(n_rows, other.n_cols);
    for (int i = 0; i < n_rows; i++)
        for (int j = 0; j < other.n_cols; j++) {
            int sum = 0;
            for (int k = 0; k < n_cols; k++)
                sum += at(i, k) * other.at(k, j);
            product.at(i, j) = sum;
        }
    return product;
}
