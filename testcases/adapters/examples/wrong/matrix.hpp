// Given by the course.
#pragma once
#include <string>
#include <vector>

class Matrix
{
  public:
    Matrix(size_t rows, size_t cols);
    int *operator[](size_t row);
    const int *operator[](size_t row) const;
    size_t getRows() const;
    size_t getCols() const;
    static Matrix loadFromFile(const std::string &name);
    void saveToFile(const std::string &name) const;

  private:
    size_t rows, cols;
    std::vector<int> data;
};
