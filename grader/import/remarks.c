#include "import/remarks.h"

#include <stdarg.h>
#include <stdint.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/tree.h"
#include "import/litter.h"

void remark(struct remarks *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    OWNED char *line = xvasprintf(fmt, ap);
    va_end(ap);
    if (r->count++ < REMARKS_SHOWN) {
        json_auto_t *safe = json_printable(line);
        strbuf_addf(&r->text, "%s\n", json_string_value(safe));
    }
}

void remark_closed(struct remarks *r, const char *shown, const char *dir)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    tree_list_closed(dir, SIZE_MAX, &names, &count, NULL);
    for (size_t i = 0; i < count; i++)
        if (!litter_is(names[i]))
            remark(r, "%s: %s: left out: this directory is too deep, or cannot be read", shown,
                   names[i]);
}
