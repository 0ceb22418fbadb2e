#pragma once
#include <cstddef>

/* Has a destructor, and no copy constructor. */
class Matrix
{
  public:
    Matrix(size_t rows, size_t cols) : rows(rows), cols(cols), data(new int[rows * cols]())
    {
    }
    ~Matrix()
    {
        delete[] data;
    }
    int *operator[](size_t row) const
    {
        return data + row * cols;
    }
    size_t getRows() const
    {
        return rows;
    }
    size_t getCols() const
    {
        return cols;
    }

  private:
    size_t rows, cols;
    int *data;
};
