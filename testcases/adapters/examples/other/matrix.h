#pragma once
#include <vector>

#define N 1024 // of the measurements

class Mat
{
    std::vector<int> data;

  public:
    const int n_rows, n_cols;
    Mat(int r, int c) : data(r * c), n_rows(r), n_cols(c)
    {
    }
    int &at(int i, int j)
    {
        return data[i * n_cols + j];
    }
    int at(int i, int j) const
    {
        return data[i * n_cols + j];
    }
    Mat multiply(const Mat &other) const;
};
