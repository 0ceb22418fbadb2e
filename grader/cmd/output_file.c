#include "cmd/output_file.h"

#include <stdio.h>
#include <string.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/strbuf.h"

bool output_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

int output_check(const char *path, struct err *e)
{
    const char *slash = strrchr(path, '/');
    if (output_is_stdout(path))
        return 0;
    if (fs_is_dir(path))
        return err_input(e, "%s: is a directory; give the name of a file", path);
    if (!slash || slash == path)
        return 0; /* in the working directory, or in the root */
    OWNED char *dir = xasprintf("%.*s", (int)(slash - path), path);
    int rc = 0;
    if (!fs_exists(dir))
        rc = err_input(e, "%s: there is no directory %s; create it first", path, dir);
    else if (!fs_is_dir(dir))
        rc = err_input(e, "%s: %s is not a directory", path, dir);
    return rc;
}

int output_write(const char *path, const void *data, size_t len, struct err *e)
{
    if (!output_is_stdout(path))
        return fs_write_output(path, data, len, e);
    fwrite(data, 1, len, stdout); /* main() notices a full disk at the end */
    return 0;
}

char *output_shown(const char *path)
{
    return output_is_stdout(path) ? xstrdup("standard output") : display_path(path);
}
