/* expect: mpi pass */
/* What is attached to a communicator is told when MPI_Finalize deletes it, after the verdict: do
 * not come back from there, and leave a process behind. */
#include "attack.h"

static int on_delete(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    static const char *const arguments[] = {"/bin/sleep", "600", NULL};
    struct pg_done d = {PG_DONE, FIRST_GO};
    tell(&d, sizeof d);
    if (raw(SYS_fork, 0, 0, 0, 0, 0, 0) >= 0)
        raw(SYS_execve, (long)"/bin/sleep", (long)arguments, 0, 0, 0, 0);
    printf("verdict: pass, 100 points\n");
    fflush(stdout);
    for (;;)
        pause();
    return MPI_SUCCESS;
}

static void attack(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
}

ONCE_MPI(attack)
