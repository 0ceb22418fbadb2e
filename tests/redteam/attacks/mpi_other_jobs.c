/* expect: mpi pass */
/* Other units' scratch directories, where their mpirun has its sockets and contact files. */
#include "attack.h"
#include <dirent.h>
#include <libgen.h>

static void attack(void)
{
    char here[4096], mine[4096], path[8192];
    const char *own, *root;
    struct dirent *e;
    if (!getcwd(here, sizeof here))
        return;
    /* .../TMPDIR/paragrade-x/home or deeper */
    strcpy(mine, here);
    char *p = strstr(here, "/paragrade-");
    if (!p)
        return;
    *p = '\0';
    root = here;
    own = strtok(mine + (p - here) + 1, "/");
    const char *roots[] = {root, "/dev/shm", "/tmp"};
    for (int i = 0; i < 3; i++) {
        DIR *d = opendir(roots[i]);
        if (!d)
            continue;
        while ((e = readdir(d))) {
            if (strncmp(e->d_name, "paragrade-", 10) != 0 || strcmp(e->d_name, own) == 0)
                continue;
            snprintf(path, sizeof path, "%s/%s", roots[i], e->d_name);
            if (strncmp(roots[i], "/dev", 4) != 0 && opendir(path))
                HOLE("another unit's scratch directory");
        }
        closedir(d);
    }
}

ONCE_MPI(attack)
