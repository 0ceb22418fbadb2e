#include "matrix.hpp"

#include <chrono>
#include <iostream>
#include <stdexcept>

Matrix matrix_multiply(const Matrix &a, const Matrix &b)
{
    if (a.getCols() != b.getRows())
        throw std::invalid_argument("these matrices have no product");
    Matrix c(a.getRows(), b.getCols());
    for (size_t i = 0; i < a.getRows(); i++)
        for (size_t k = 0; k < a.getCols(); k++)
            for (size_t j = 0; j < b.getCols(); j++)
                c[i][j] += a[i][k] * b[k][j];
    return c;
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        std::cerr << "usage: multiply A B C\n";
        return 1;
    }
    const Matrix a = Matrix::loadFromFile(argv[1]), b = Matrix::loadFromFile(argv[2]);
    const auto start = std::chrono::steady_clock::now();
    const Matrix c = matrix_multiply(a, b);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    c.saveToFile(argv[3]);
    std::cout << "Time: " << time.count() << " s\n";
}
