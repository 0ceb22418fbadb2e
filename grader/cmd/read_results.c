#include "cmd/read_results.h"

#include <stdio.h>

#include "base/term.h"

int read_results(const struct command *c, const struct run *r, struct results *out, struct err *e)
{
    struct err why = ERR_INIT;
    const int found = results_load(r, out, &why);
    if (found > 0)
        term_print(stderr, 2, "paragrade %s: %s\n", c->name, why.text);
    if (found < 0)
        *e = why;
    return found < 0 ? -1 : 0;
}
