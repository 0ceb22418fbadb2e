#include "cmd/run_kind.h"

#include <string.h>

#include "base/names.h"
#include "base/plural.h"
#include "base/strbuf.h"

static enum run_purpose purpose_of(const struct plan *p, unsigned students, bool on_roster)
{
    if (p->sweep)
        return RUN_SWEEP;
    if (p->self_test)
        return RUN_CHECK;
    if (strncmp(p->run_id, "rehearse-", strlen("rehearse-")) == 0) /* cmd/rehearse.c names it */
        return RUN_REHEARSAL;
    if (!students)
        return RUN_OF_REFERENCE;
    return on_roster ? RUN_OF_CLASS : RUN_OF_OTHERS;
}

void run_kind_of(const struct plan *p, struct run_kind *out)
{
    bool on_roster = false;
    *out = (struct run_kind){.student = xcalloc(p->submissions_count + 1, sizeof(char *))};
    for (unsigned i = 0; i < p->submissions_count; i++) {
        if (p->submissions[i].is_reference)
            continue;
        on_roster = on_roster || p->submissions[i].roster_fields;
        out->student[out->students++] = xstrdup(p->submissions[i].id);
    }
    out->purpose = purpose_of(p, out->students, on_roster);
}

void run_kind_free(struct run_kind *k)
{
    texts_free(k->student, k->students);
    *k = (struct run_kind){0};
}

bool run_kind_equal(const struct run_kind *a, const struct run_kind *b)
{
    FREED_BY(names_free) struct names known = NAMES_INIT;
    unsigned common = 0;
    if (a->purpose != b->purpose)
        return false;
    for (unsigned i = 0; i < a->students; i++)
        names_add(&known, a->student[i], i);
    for (unsigned i = 0; i < b->students; i++)
        common += names_find(&known, b->student[i]) != NAMES_NONE;
    /* A rehearsal's are mutants of one reference, and a sweep has none. */
    return a->purpose == RUN_REHEARSAL || a->purpose == RUN_SWEEP ||
           2 * common >= (a->students > b->students ? a->students : b->students);
}

char *run_kind_text(const struct run_kind *k)
{
    const char *students = plural(k->students, "student", "students");
    switch (k->purpose) {
    case RUN_OF_CLASS:
        return xasprintf("%u %s of a roster", k->students, students);
    case RUN_OF_OTHERS:
        return xasprintf("%u %s, without a roster", k->students, students);
    case RUN_CHECK:
        return xasprintf("a check of %s", k->students ? k->student[0] : "nothing");
    case RUN_SWEEP:
        return xasprintf("a sweep, %u %s", k->students, students);
    case RUN_REHEARSAL:
        return xstrdup("a rehearsal");
    case RUN_OF_REFERENCE:
        break;
    }
    return xstrdup("no students, only the reference");
}
