#include "base/disk_use.h"

#include <fts.h>
#include <stdio.h>
#include <sys/stat.h>

enum { BLOCK = 512 }; /* of st_blocks, on every file system */

uint64_t disk_use(const char *dir)
{
    char *const paths[] = {(char *)dir, NULL};
    FTS *tree = fts_open(paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_XDEV, NULL);
    uint64_t bytes = 0;
    if (!tree)
        return 0;
    for (const FTSENT *x; (x = fts_read(tree));)
        if (x->fts_info != FTS_DP && x->fts_info != FTS_NS && x->fts_info != FTS_ERR)
            bytes += (uint64_t)x->fts_statp->st_blocks * BLOCK;
    fts_close(tree);
    return bytes;
}

const char *disk_use_text(uint64_t bytes, char *out)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
    double v = (double)bytes / 1024;
    size_t u = 0;
    for (; v >= 1000 && u + 1 < sizeof units / sizeof units[0]; u++)
        v /= 1024;
    snprintf(out, DISK_USE_TEXT, "%.*f %s", u && v < 10 ? 1 : 0, v, units[u]);
    return out;
}
