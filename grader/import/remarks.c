#include "import/remarks.h"

#include <stdarg.h>
#include <stdlib.h>

#include "base/json.h"

void remark(struct remarks *r, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char *line = xvasprintf(fmt, ap);
    va_end(ap);
    if (r->count++ < REMARKS_SHOWN) {
        json_t *safe = json_printable(line);
        strbuf_addf(&r->text, "%s\n", json_string_value(safe));
        json_decref(safe);
    }
    free(line);
}
