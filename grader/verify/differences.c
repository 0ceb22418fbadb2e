#include "verify/differences.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/term.h"

static char *printable(const char *s)
{
    char *copy = xstrdup(s ? s : "");
    term_make_printable(copy);
    for (char *p = copy; *p; p++)
        if (*p == '\n' || *p == '\t' || *p == '\r')
            *p = ' ';
    return copy;
}

void differences_add(struct differences *d, struct place at, const char *recorded,
                     const char *recomputed)
{
    d->item = list_one_more(d->item, d->count, sizeof *d->item);
    d->item[d->count++] =
        (struct difference){printable(at.file), printable(at.where), printable(at.field),
                            printable(recorded), printable(recomputed)};
}

void differences_note(struct differences *d, const char *fmt, ...)
{
    char text[1000];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    d->note = list_one_more(d->note, d->notes, sizeof *d->note);
    d->note[d->notes++] = printable(text);
}

void differences_free(struct differences *d)
{
    for (size_t i = 0; i < d->count; i++) {
        free(d->item[i].file);
        free(d->item[i].where);
        free(d->item[i].field);
        free(d->item[i].recorded);
        free(d->item[i].recomputed);
    }
    for (size_t i = 0; i < d->notes; i++)
        free(d->note[i]);
    free(d->item);
    free(d->note);
    *d = (struct differences){0};
}
