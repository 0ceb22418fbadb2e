/* expect: mpi crash */
/* Leave things in the scratch directory that keep the next driver from starting, and die: is the
 * failure the grader's? */
#include "attack.h"
#include <dirent.h>

static void spoil(const char *dir)
{
    char path[600];
    DIR *d = opendir(dir);
    struct dirent *de;
    for (int i = 0; i < 40; i++) {
        snprintf(path, sizeof path, "%s/s%d", dir, i);
        mkdir(path, 0700);
        snprintf(path, sizeof path, "%s/s%d/x", dir, i);
        mkdir(path, 0700);
    }
    while (d && (de = readdir(d)))
        if (strncmp(de->d_name, "ompi", 4) == 0) {
            char old[600];
            snprintf(old, sizeof old, "%s/%s", dir, de->d_name);
            snprintf(path, sizeof path, "%s/gone", dir);
            if (rename(old, path) == 0)
                close(open(old, O_CREAT | O_WRONLY, 0600));
        }
}

void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    (void)M, (void)N, (void)K, (void)A, (void)B, (void)C, (void)comm;
    spoil(getenv("TMPDIR"));
    raise(SIGFPE);
}
