#include "build/objections.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/named_at.h"

enum { SHOWN = 80 };

bool objections_any(const struct objections *o)
{
    return o->general || o->count;
}

void objections_whole(struct objections *o, char *why)
{
    if (o->general)
        free(why);
    else
        o->general = why;
}

/* stdio.h gives scanf() and related functions another name: __isoc99_scanf. */
static const char *in_source(const char *name)
{
    static const char prefix[] = "__isoc";
    if (strncmp(name, prefix, strlen(prefix)) != 0)
        return name;
    const char *rest = name + strlen(prefix);
    rest += strspn(rest, "0123456789");
    return *rest == '_' && rest[1] ? rest + 1 : name;
}

void objections_add(struct objections *o, enum verdict verdict, const char *what, const char *name,
                    const char *why)
{
    name = in_source(name);
    for (unsigned i = 0; i < o->count; i++)
        if (strcmp(o->item[i].name, name) == 0)
            return;
    if (o->count == OBJECTIONS_MOST) {
        o->more++;
        return;
    }
    struct objection *to = &o->item[o->count++];
    *to = (struct objection){.verdict = verdict, .what = what, .why = why, .name = xstrdup(name)};
    to->file = named_at(o->dir, name, &to->line);
}

/* Who calls a function that no line of the sources names. */
static const char *hidden_caller(const struct objection *o)
{
    return !o->file && strcmp(o->name, "syscall") == 0
               ? " (C++20's std::jthread, std::latch, std::barrier, semaphores, atomic::wait and "
                 "condition_variable_any call it; std::thread, std::mutex and "
                 "std::condition_variable do not)"
               : "";
}

/* The most severe first, the same reasons together, then by place. */
static int by_reason(const void *a, const void *b)
{
    const struct objection *x = a, *y = b;
    int order = (int)y->verdict - (int)x->verdict;
    if (!order)
        order = strcmp(x->why, y->why);
    if (!order)
        order = !x->file - !y->file;
    if (!order && x->file)
        order = strcmp(x->file, y->file);
    if (!order)
        order = x->line < y->line ? -1 : x->line > y->line;
    return order ? order : strcmp(x->name, y->name);
}

char *objections_text(struct objections *o, enum verdict *verdict)
{
    struct strbuf sb = STRBUF_INIT;
    *verdict = VERDICT_FORBIDDEN;
    if (o->general)
        return xstrdup(o->general);
    if (!o->count) {
        *verdict = VERDICT_PASS;
        return NULL;
    }
    qsort(o->item, o->count, sizeof *o->item, by_reason);
    *verdict = o->item[0].verdict;
    const char *hidden = "";
    for (unsigned i = 0; i < o->count; i++) {
        const struct objection *x = &o->item[i], *next = i + 1 < o->count ? x + 1 : NULL;
        const bool last = !next || next->verdict != x->verdict || strcmp(next->why, x->why) != 0;
        if (x->file)
            strbuf_addf(&sb, "%s:%u: ", x->file, x->line);
        strbuf_addf(&sb, "%s %.*s, ", x->what, SHOWN, x->name);
        hidden = *hidden ? hidden : hidden_caller(x);
        if (last) {
            strbuf_addf(&sb, "%s%s%s", x->why, hidden, next ? "; " : "");
            hidden = "";
        }
    }
    if (o->more)
        strbuf_addf(&sb, "; and %u more", o->more);
    return strbuf_detach(&sb);
}

void objections_free(struct objections *o)
{
    for (unsigned i = 0; i < o->count; i++) {
        free(o->item[i].name);
        free(o->item[i].file);
    }
    free(o->general);
}
