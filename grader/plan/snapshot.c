#include "plan/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "model/source_name.h"
#include "plan/identifier.h"

enum { HEADERS_MAX = 200 /* per submission */ };

void plan_note(struct strbuf *notes, const char *fmt, const char *a, const char *b)
{
    if (!notes)
        return;
    char *ea = identifier_encode(a), *eb = identifier_encode(b);
    strbuf_addf(notes, fmt, ea, eb);
    strbuf_adds(notes, "\n");
    free(ea);
    free(eb);
}

int snapshot_headers(const char *from, const char *to, size_t max, struct strbuf *notes,
                     struct err *e)
{
    char **names;
    size_t count, taken = 0;
    if (fs_list(from, &names, &count, NULL) != 0)
        return 0;
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++) {
        if (!source_is_header(names[i]))
            continue;
        char *src = xasprintf("%s/%s", from, names[i]);
        char *dst = xasprintf("%s/%s", to, names[i]);
        struct err why = ERR_INIT;
        if (taken >= HEADERS_MAX)
            plan_note(notes, "%s: header %s left out: there are too many", strrchr(from, '/') + 1,
                      names[i]);
        else if (fs_copy(src, dst, max, &why) == 0)
            taken++;
        else if (why.kind == ERR_INPUT) /* a link or too large: left out, and the compiler will say
                                           that it is missing */
            plan_note(
                notes,
                "%s: header %s left out: a link to a file elsewhere, not a regular file, or too "
                "large; the file itself belongs there",
                strrchr(from, '/') + 1, names[i]);
        else
            rc = err_system(e, "%s", why.text);
        free(dst);
        free(src);
    }
    fs_list_free(names, count);
    return rc;
}

int snapshot_source(const char *from, const char *to, size_t max, struct choice *c, struct err *e)
{
    char *src = xasprintf("%s/%s", from, c->source);
    char *dst = xasprintf("%s/%s", to, c->source);
    struct err why = ERR_INIT;
    int rc = 0;
    /* Two tiers may accept the same file name: the copy is there already. */
    if (!fs_exists(dst) && fs_copy(src, dst, max, &why) != 0) {
        if (why.kind == ERR_INPUT) {
            const char *text = strrchr(why.text, ':'); /* without the path: it may be anything */
            choice_settle(c, VERDICT_MISSING,
                          xasprintf("%s cannot be read%s", c->source, text ? text : ""));
            c->source = NULL;
        } else {
            rc = err_system(e, "%s", why.text);
        }
    }
    free(dst);
    free(src);
    return rc;
}
