#include "cmd/output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/strbuf.h"

bool output_is_stdout(const char *path)
{
    return strcmp(path, "-") == 0;
}

int output_write(const char *path, const void *data, size_t len, struct err *e)
{
    if (!output_is_stdout(path))
        return fs_write_atomic(path, data, len, e);
    fwrite(data, 1, len, stdout); /* main() notices a full disk at the end */
    return 0;
}

char *output_shown(const char *path)
{
    return output_is_stdout(path) ? xstrdup("standard output") : display_path(path);
}
