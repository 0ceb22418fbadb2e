#include "proctor/second_remarks.h"

#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"
#include "supervise/driver_limits.h"

enum { INDEX_ERRORS_MOST = 3 };

void second_place(const struct second_remarks *k, const uint64_t *place, int n,
                  char out[SECOND_PLACE])
{
    struct source_line at;
    out[0] = '\0';
    if (*place != UINT64_MAX &&
        source_line_find(&k->job->node->sandbox, k->dir, k->library, place, n, &at))
        snprintf(out, SECOND_PLACE, "%s:%d", at.file, at.line);
}

void second_remark_memory(const struct second_remarks *k, const struct memory_error *m)
{
    char place[SECOND_PLACE], from[SECOND_PLACE];
    second_place(k, &m->place, 1, place);
    if (source_is_adapter(place))
        return;
    second_place(k, &m->allocated, 1, from);
    const char *declared = *from ? from : m->declared;
    OWNED char *cause =
        xasprintf("%s%s%s%s%s", place, *place ? ": " : "", m->what,
                  *declared ? (*from ? ", allocated at " : ", declared at ") : "", declared);
    if (k->before == VERDICT_CRASH || k->before == VERDICT_WROTE_OUT_OF_BOUNDS)
        unit_result_lead(k->r, cause);
    else
        unit_result_remark(k->r, "%s (found by AddressSanitizer in a build without optimisation)",
                           cause);
}

/* AddressSanitizer may have reported the same access. */
static bool is_told(const struct second_remarks *k, const char *place)
{
    OWNED char *begin = xasprintf("%s: ", place);
    return strstr(k->r->remarks, begin);
}

void second_remark_indices(struct second_remarks *k, const char *output)
{
    struct index_error x;
    while (k->index_errors < INDEX_ERRORS_MOST && sanitizer_index_error(&output, &x)) {
        if (source_is_adapter(x.place) || is_told(k, x.place))
            continue;
        k->index_errors++;
        unit_result_remark(k->r, "%s: %s", x.place, x.what);
    }
}

void second_remark_overflows(const struct second_remarks *k, struct driver_process *d)
{
    struct index_error x;
    driver_await_output(d);
    const char *output = d->output.s;
    for (int told = 0; told < INDEX_ERRORS_MOST && sanitizer_overflow(&output, &x);)
        if (!source_is_adapter(x.place) && !is_told(k, x.place)) {
            unit_result_remark(k->r, "%s: %s", x.place, x.what);
            told++;
        }
}
