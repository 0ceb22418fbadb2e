#include "cmd/start_note.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"

static char *note_of(const char *dir)
{
    return xasprintf("%s/.paragrade", dir);
}

int start_note_write(const char *dir, const char *assignment, struct err *e)
{
    OWNED char *path = fs_absolute(assignment), *line = xasprintf("%s\n", path),
               *note = note_of(dir);
    return fs_write_unsynced(note, line, strlen(line), e);
}

char *start_note_read(const char *dir)
{
    char *note = note_of(dir), *path = NULL;
    struct err ignored = ERR_INIT;
    if (fs_exists(note) && fs_read(note, PATH_MAX, &path, NULL, &ignored) == 0)
        path[strcspn(path, "\n")] = '\0';
    if (path && (path[0] != '/' || !fs_exists(path))) {
        free(path);
        path = NULL;
    }
    free(note);
    return path;
}
