/* tier: mpi */
/* C++ vectors, lambdas and exceptions around MPI's C functions. */
#include "honest.h"
#include <iostream>
#include <stdexcept>
#include <vector>

static void check(int error)
{
    if (error != MPI_SUCCESS)
        throw std::runtime_error("MPI failed");
}

class communicator
{
    MPI_Comm comm = MPI_COMM_NULL;

  public:
    explicit communicator(MPI_Comm from)
    {
        check(MPI_Comm_dup(from, &comm));
    }
    ~communicator()
    {
        MPI_Comm_free(&comm);
    }
    operator MPI_Comm() const
    {
        return comm;
    }
};

GEMM_MPI
{
    communicator mine(comm);
    int rank;
    check(MPI_Comm_rank(mine, &rank));
    std::vector<int32_t> b((size_t)K * N);
    if (rank == 0)
        b.assign(B, B + (size_t)K * N);
    check(MPI_Bcast(b.data(), K * N, MPI_INT32_T, 0, mine));
    MPI_Comm_set_errhandler(mine, MPI_ERRORS_RETURN);
    try {
        check(MPI_Send(&rank, 1, MPI_INT, 4711, 0, mine));
    } catch (const std::runtime_error &e) {
        std::cerr << rank << ": " << e.what() << std::endl;
    }
    share_all(M, N, K, A, b.data(), C, mine);
}
