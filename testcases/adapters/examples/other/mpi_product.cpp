#include <cstdlib>
#include <fstream>
#include <mpi.h>
#include <vector>

using Row = std::vector<int>;

static std::vector<Row> read_matrix(const char *name)
{
    std::ifstream in(name);
    int rows, cols;
    in >> rows >> cols;
    std::vector<Row> m(rows, Row(cols));
    for (auto &row : m)
        for (int &x : row)
            in >> x;
    return m;
}

int main(int argc, char **argv)
{
    if (argc != 5 || std::atoi(argv[4]) != 0) // a flag of the course: with or without output
        return 2;
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto a = read_matrix(argv[1]), b = read_matrix(argv[2]);
    const int rows = (int)a.size(), cols = (int)b[0].size();
    Row part(rows * cols), c(rows * cols);
    for (int i = rank; i < rows; i += ranks)
        for (int j = 0; j < cols; j++)
            for (size_t k = 0; k < b.size(); k++)
                part[i * cols + j] += a[i][k] * b[k][j];
    MPI_Reduce(part.data(), c.data(), rows * cols, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        std::ofstream out(argv[3]);
        for (int i = 0; i < rows; i++, out << std::endl)
            for (int j = 0; j < cols; j++)
                out << c[i * cols + j] << ' ';
    }
    MPI_Finalize();
}
