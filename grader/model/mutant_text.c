/* A source with a mutant in it, and what people read about it. */
#include <ctype.h>

#include "base/strbuf.h"
#include "model/mutant.h"

static char *replaced(const char *text, size_t len, size_t from, size_t to, const char *with)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_add(&sb, text, from);
    strbuf_adds(&sb, with);
    strbuf_add(&sb, text + to, len - to);
    return strbuf_detach(&sb);
}

char *mutant_apply(const struct mutant *m, const char *text, size_t len)
{
    return replaced(text, len, m->from, m->to, m->with);
}

char *mutant_probe(const struct mutant *m, const char *text, size_t len)
{
    return replaced(text, len, m->statement, m->statement,
                    m->part ? " if (__builtin_trap(), 0) ; else " : " __builtin_trap(); ");
}

/* Characters around the change that are shown, and of the change itself. */
enum { AROUND = 16, SHOWN = 40 };

static void add_part(struct strbuf *sb, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        strbuf_addf(sb, "%c", isspace((unsigned char)p[i]) ? ' ' : p[i]);
}

char *mutant_text(const struct mutant *m, const char *text, size_t len)
{
    struct strbuf sb = STRBUF_INIT;
    size_t from = m->from, to = m->to;
    while (from > 0 && text[from - 1] != '\n' && m->from - from < AROUND)
        from--;
    while (to < len && text[to] != '\n' && to - m->to < AROUND)
        to++;
    while (from < m->from && isspace((unsigned char)text[from]))
        from++;
    const size_t n = m->to - m->from;
    strbuf_adds(&sb, "`");
    add_part(&sb, text + from, m->from - from);
    add_part(&sb, text + m->from, n < SHOWN ? n : SHOWN);
    strbuf_adds(&sb, n < SHOWN ? "" : "...");
    add_part(&sb, text + m->to, to - m->to);
    strbuf_adds(&sb, "` -> `");
    add_part(&sb, text + from, m->from - from);
    strbuf_adds(&sb, m->with);
    add_part(&sb, text + m->to, to - m->to);
    strbuf_adds(&sb, "`");
    return strbuf_detach(&sb);
}
