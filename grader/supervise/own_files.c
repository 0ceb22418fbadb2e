#include "supervise/own_files.h"

#include <linux/magic.h>
#include <stdlib.h>
#include <sys/statfs.h>

#include "base/fsio.h"
#include "base/strbuf.h"

enum { SPARE = 16 << 20, FILES = 2 * OWN_FILES_MOST };

void own_files_make(struct own_files *f, const char *scratch, uint64_t home_most, uint64_t shm_most)
{
    *f = (struct own_files){0};
    if (!namespaces_possible())
        return;
    f->home = xasprintf("%s/own", scratch);
    f->shm = xasprintf("%s/shm", scratch);
    namespaces_size(f->home_options, home_most + SPARE, FILES);
    namespaces_size(f->shm_options, shm_most + SPARE, FILES);
    fs_mkdirs(f->home, NULL); /* without them, mounting fails and says why */
    fs_mkdirs(f->shm, NULL);
}

void own_files_free(struct own_files *f)
{
    free(f->home);
    free(f->shm);
    *f = (struct own_files){0};
}

int own_files_mount(const struct own_files *f)
{
    return namespaces_mount(f->home, f->home_options) == 0 &&
                   namespaces_mount(f->shm, f->shm_options) == 0
               ? 0
               : -1;
}

bool own_files_held(const char *dir, pid_t pid, struct files_held *out)
{
    struct statfs s;
    OWNED char *seen = xasprintf("/proc/%d/root%s", (int)pid, dir);
    const bool there = statfs(seen, &s) == 0 && s.f_type == TMPFS_MAGIC;
    *out = (struct files_held){0};
    if (there)
        *out =
            (struct files_held){.bytes = (uint64_t)(s.f_blocks - s.f_bfree) * (uint64_t)s.f_bsize,
                                .files = (uint64_t)(s.f_files - s.f_ffree)};
    return there;
}
