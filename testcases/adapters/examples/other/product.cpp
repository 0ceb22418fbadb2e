#include <fstream>
#include <iostream>
#include <vector>

using namespace std;

typedef vector<vector<int>> Matrix;

Matrix read_matrix(const string &name)
{
    ifstream in(name);
    if (!in.is_open()) {
        cerr << name << ": no such file" << endl;
        exit(1);
    }
    int rows, cols;
    in >> rows >> cols;
    Matrix m(rows, vector<int>(cols));
    for (auto &row : m)
        for (int &x : row)
            in >> x;
    return m;
}

int main(int argc, char *argv[])
{
    if (argc < 4)
        exit(1);
    Matrix a = read_matrix(argv[1]), b = read_matrix(argv[2]);
    ofstream out(argv[3]);
    for (auto &row : a) {
        for (size_t j = 0; j < b[0].size(); j++) {
            int sum = 0;
            for (size_t k = 0; k < b.size(); k++)
                sum += row[k] * b[k][j];
            out << sum << " ";
        }
        out << endl;
    }
    cout << "done" << endl;
}
