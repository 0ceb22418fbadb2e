/* expect: mpi crash|timeout|forbidden */
/* A thread of rank 1 takes what the proctor sends to the driver there: the files of the next
 * operands. It makes them shorter, and writes to them. */
#include "mix_attack.h"
#include <sys/socket.h>

static ino_t file_of(int fd)
{
    struct stat st = {0};
    fstat(fd, &st);
    return st.st_ino;
}

/* The last one is the output's. It stands for inputs that a rank has not, too. */
static void use(const struct msghdr *h)
{
    const struct cmsghdr *c = CMSG_FIRSTHDR(h);
    const size_t n = c ? (c->cmsg_len - CMSG_LEN(0)) / sizeof(int) : 0;
    int fd[64];
    char byte = 1;
    memcpy(fd, CMSG_DATA(c), n * sizeof *fd);
    for (size_t i = 0; i < n; i++) {
        if (ftruncate(fd[i], 0) == 0 || ftruncate(fd[i], 1 << 30) == 0)
            HOLE("the file of an operand has another size");
        if (file_of(fd[i]) == file_of(fd[n - 1]))
            continue;
        if (pwrite(fd[i], &byte, 1, 0) == 1)
            HOLE("an input was written");
        if (mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, fd[i], 0) != MAP_FAILED)
            HOLE("an input can be written");
    }
}

static void *take(void *unused)
{
    static char message[65536], control[1024];
    for (;;)
        for (int fd = 3; fd < 64; fd++) {
            struct iovec io = {message, sizeof message};
            struct msghdr h = {.msg_iov = &io,
                               .msg_iovlen = 1,
                               .msg_control = control,
                               .msg_controllen = sizeof control};
            if (recvmsg(fd, &h, MSG_DONTWAIT | MSG_PEEK) > 0 && h.msg_controllen > 0 &&
                recvmsg(fd, &h, MSG_DONTWAIT) > 0)
                use(&h);
        }
    return unused;
}

KERNEL
{
    static int started;
    int rank;
    pthread_t t;
    MPI_Comm_rank(comm, &rank);
    if (rank == 1 && !started++)
        pthread_create(&t, NULL, take, NULL);
    return HONEST;
}
