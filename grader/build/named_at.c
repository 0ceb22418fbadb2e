#include "build/named_at.h"

#include <stdbool.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "model/source_name.h"

/* More than any honest submission needs. */
enum { SOURCE_MOST = 16 << 20, FILES_MOST = 10000 };

static bool name_char(char c)
{
    return c && strchr(NAMED_CHARS, c);
}

/* Line number of the first call of `name`, or else of the first such word; 0: there is none. */
static unsigned line_of(const char *source, const char *name)
{
    size_t n = strlen(name);
    unsigned line = 1, any = 0;
    for (const char *p = source, *counted = source; (p = strstr(p, name)); p += n) {
        if ((p > source && name_char(p[-1])) || name_char(p[n]))
            continue;
        for (; counted < p; counted++)
            line += *counted == '\n';
        const char *after = p + n + strspn(p + n, " \t\n");
        if (*after == '(')
            return line;
        any = any ? any : line;
    }
    return any;
}

char *named_at(const char *dir, const char *name, unsigned *line)
{
    char **files, *found = NULL;
    size_t n;
    if (tree_list(dir, FILES_MOST, &files, &n, NULL) != 0)
        return NULL;
    for (size_t i = 0; i < n && !found; i++) {
        /* A header's name may contain anything; do not print such a name. The mistake is not in the
         * adapter. */
        if (strpbrk(files[i], "\n\r\t\033") || source_is_adapter(files[i]))
            continue;
        OWNED char *path = xasprintf("%s/%s", dir, files[i]), *source = NULL;
        if (fs_read(path, SOURCE_MOST, &source, NULL, NULL) == 0) {
            *line = line_of(source, name);
            if (*line)
                found = xstrdup(files[i]);
        }
    }
    fs_list_free(files, n);
    return found;
}
