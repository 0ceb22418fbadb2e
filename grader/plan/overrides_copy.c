#include "plan/overrides_copy.h"

#include <string.h>

#include "base/fsio.h"
#include "base/others_file.h"
#include "base/strbuf.h"
#include "rundir/overrides.h"
#include "rundir/paths.h"

enum { OVERRIDES_MOST = 16 << 20 };

char *overrides_beside(const char *roster)
{
    if (!roster)
        return NULL;
    OWNED char *path = fs_absolute(roster);
    return xasprintf("%.*s/overrides.csv", (int)(strrchr(path, '/') - path), path);
}

int overrides_copy(const struct plan *p, const struct assignment *a, const char *kept,
                   const char *dir, struct strbuf *notes, struct err *e)
{
    const char *from = p->overrides_path;
    struct stat st;
    FREED_BY(overrides_free) struct overrides o = {0};
    int there = from ? fs_lstat(from, &st, e) : 0;
    if (there == 0 && kept && (there = fs_lstat(kept, &st, e)) == 1) {
        strbuf_addf(notes, "%s is not there any more: the overrides in the run stay\n", from);
        from = kept;
    }
    if (there != 1)
        return there;
    OWNED char *to = rundir_overrides(dir);
    int rc = others_file_refuse(from, &st, e);
    if (rc == 0)
        rc = overrides_load(from, p, a, &o, e);
    if (rc == 0)
        rc = fs_copy(from, to, OVERRIDES_MOST, e);
    return rc;
}
