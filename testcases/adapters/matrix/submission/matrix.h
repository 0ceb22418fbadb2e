// Given by the course.
#pragma once
#include <cstddef>
#include <vector>

class Matrix
{
  public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns), data_((size_t)rows * columns)
    {
    }
    int rows() const
    {
        return rows_;
    }
    int columns() const
    {
        return columns_;
    }
    int &operator()(int i, int j)
    {
        return data_[(size_t)i * columns_ + j];
    }
    int operator()(int i, int j) const
    {
        return data_[(size_t)i * columns_ + j];
    }

  private:
    int rows_, columns_;
    std::vector<int> data_;
};

Matrix multiply(const Matrix &a, const Matrix &b);
