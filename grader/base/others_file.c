#include "base/others_file.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"

int others_file_refuse(const char *path, const struct stat *st, struct err *e)
{
    const char *slash = strrchr(path, '/');
    OWNED char *dir = slash ? xasprintf("%.*s", (int)(slash + 1 - path), path) : xstrdup(".");
    struct stat holder;
    if (st->st_uid == geteuid() || st->st_uid == 0)
        return 0;
    const int there = fs_stat(dir, &holder, e);
    if (there < 0)
        return -1;
    const bool everybodys = there == 1 && holder.st_mode & (S_IWOTH | S_ISVTX);
    if (!everybodys || st->st_uid == holder.st_uid)
        return 0;
    return err_input(e,
                     "%s belongs to user %ld, and neither to you nor to the owner of its "
                     "directory, but decides about points. If it is right, make a copy of it "
                     "take its place; else remove it",
                     path, (long)st->st_uid);
}
