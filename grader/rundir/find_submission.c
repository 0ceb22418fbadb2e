#include "rundir/find_submission.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

#include "base/identifier.h"
#include "base/names.h"
#include "base/similar.h"
#include "base/strbuf.h"

static int find_id(const struct plan *p, const char *id)
{
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (strcmp(p->submissions[i].id, id) == 0)
            return (int)i;
    return -1;
}

/* Two students may have the same name. */
static int find_name(const struct plan *p, const char *name, struct err *e)
{
    int found = -1;
    for (unsigned i = 0; i < p->submissions_count; i++) {
        if (strcmp(p->submissions[i].name, name) != 0)
            continue;
        if (found >= 0)
            return err_input(e, "'%s' is the name of both %s and %s: give one of these instead",
                             name, p->submissions[found].id, p->submissions[i].id);
        found = (int)i;
    }
    return found;
}

/* Does each submission have another value in this column of the roster, as an id is? */
static bool is_key(const struct plan *p, unsigned column)
{
    FREED_BY(names_free) struct names known = NAMES_INIT;
    bool key = true;
    for (unsigned i = 0; i < p->submissions_count && key; i++) {
        const char *value =
            p->submissions[i].roster_fields ? p->submissions[i].roster_fields[column] : "";
        key = !*value || names_find(&known, value) == NAMES_NONE;
        if (*value)
            names_add(&known, value, i);
    }
    return key;
}

/* By an id or address of the roster; -1: nobody has it, or two have. */
static int find_in_roster(const struct plan *p, const char *text)
{
    int found = -1;
    for (unsigned c = 0; c < p->roster_columns_count; c++)
        for (unsigned i = 0; i < p->submissions_count; i++) {
            char **fields = p->submissions[i].roster_fields;
            if (!fields || strcmp(fields[c], text) != 0 || !is_key(p, c))
                continue;
            if (found >= 0 && found != (int)i)
                return -1;
            found = (int)i;
        }
    return found;
}

/* A new run has no table yet that lists its submissions. */
static void say_none(const struct plan *p, const char *text, struct err *e)
{
    enum { LISTED = 8 };
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    const char *near = NULL;
    unsigned least = UINT_MAX, students = 0;
    for (unsigned i = 0; i < p->submissions_count; i++) {
        const struct submission *x = &p->submissions[i];
        if (x->is_reference)
            continue;
        if (similar_more(text, x->id, &least))
            near = x->id;
        if (students++ < LISTED)
            strbuf_addf(&all, "%s%s", all.len ? ", " : "; it has: ", x->id);
    }
    if (near)
        err_input(e, "the run has no submission '%s'; did you mean '%s'?", text, near);
    else
        err_input(e, "the run has no submission '%s'%s%s", text, all.len ? all.s : "",
                  students > LISTED ? " ..." : "");
}

int find_submission(const struct plan *p, const char *text, struct err *e)
{
    OWNED char *id = identifier_encode(text);
    int found = find_id(p, text);
    if (found < 0)
        found = find_id(p, id);
    struct err why = ERR_INIT;
    if (found < 0)
        found = find_name(p, text, &why);
    if (found < 0 && *text)
        found = find_in_roster(p, text);
    if (found >= 0)
        return found;
    if (*why.text)
        *e = why;
    else
        say_none(p, text, e);
    return -1;
}
