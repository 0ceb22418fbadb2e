#include "proctor/unit_homes.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"

int unit_homes_make(struct unit_homes *h, const struct unit_job *job, const char *name,
                    struct err *e)
{
    const char *shm = job->node->scratch.shm;
    *h = (struct unit_homes){.scratch = xasprintf("%s/%s", job->dir, name)};
    if (shm)
        h->shm = xasprintf("%s/%s-%s", shm, strrchr(job->dir, '/') + 1, name);
    return fs_mkdirs(h->scratch, e) == 0 && (!h->shm || fs_mkdirs(h->shm, e) == 0) ? 0 : -1;
}

static void drop(char **dir)
{
    if (*dir)
        fs_remove_tree(*dir, NULL);
    free(*dir);
    *dir = NULL;
}

void unit_homes_remove(struct unit_homes *h)
{
    drop(&h->scratch);
    drop(&h->shm);
}
