#include "plan/seed_file.h"

#include <string.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/strbuf.h"

enum { FILE_MOST = 4096 };

int seed_file_read(const char *path, uint64_t *seed, struct err *e)
{
    OWNED char *text = NULL;
    if (fs_read(path, FILE_MOST, &text, NULL, e) != 0)
        return -1;
    text[strcspn(text, " \t\r\n")] = '\0';
    int rc = parse_u64(text, seed, e);
    return rc == 0 ? 0 : err_context(e, "%s", path);
}
