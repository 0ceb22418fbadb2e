#include "cmd/full_disk.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/display_path.h"
#include "base/strbuf.h"

/* Every error that a file could not be written has the system's words for the reason. */
static bool is_full(const struct err *e)
{
    static const int reasons[] = {ENOSPC, EDQUOT, EFBIG};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strstr(e->text, strerror(reasons[i])))
            return true;
    return false;
}

void full_disk_hint(struct err *e, const char *dir)
{
    if (e->kind != ERR_SYSTEM || !is_full(e))
        return;
    const size_t len = strlen(e->text);
    OWNED char *path = dir ? display_path(dir) : NULL;
    snprintf(e->text + len, sizeof e->text - len, "\n  Free space, then %s%s",
             path ? "paragrade resume " : "try again", path ? path : "");
}
