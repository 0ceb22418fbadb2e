#include "rundir/find_submission.h"

#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"

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
    return found >= 0
               ? found
               : err_input(e, "the run has no submission '%s' (grades.csv lists them)", name);
}

int find_submission(const struct plan *p, const char *text, struct err *e)
{
    char *id = identifier_encode(text);
    int found = find_id(p, text);
    if (found < 0)
        found = find_id(p, id);
    free(id);
    return found >= 0 ? found : find_name(p, text, e);
}
