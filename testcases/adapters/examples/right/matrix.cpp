// Given by the course.
#include "matrix.hpp"

#include <fstream>
#include <stdexcept>

Matrix::Matrix(size_t rows, size_t cols) : rows(rows), cols(cols), data(rows * cols)
{
}

int *Matrix::operator[](size_t row)
{
    return &data[row * cols];
}

const int *Matrix::operator[](size_t row) const
{
    return &data[row * cols];
}

size_t Matrix::getRows() const
{
    return rows;
}

size_t Matrix::getCols() const
{
    return cols;
}

Matrix Matrix::loadFromFile(const std::string &name)
{
    std::ifstream in(name);
    size_t rows, cols;
    if (!(in >> rows >> cols))
        throw std::runtime_error(name + ": no matrix");
    Matrix m(rows, cols);
    for (int &x : m.data)
        in >> x;
    return m;
}

void Matrix::saveToFile(const std::string &name) const
{
    std::ofstream out(name);
    out << rows << ' ' << cols << '\n';
    for (size_t i = 0; i < data.size(); i++)
        out << data[i] << ((i + 1) % cols ? ' ' : '\n');
}
