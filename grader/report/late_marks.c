#include "report/late_marks.h"

#include <string.h>
#include <strings.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "report/adjust.h"

static int late_column(const struct plan *p)
{
    for (unsigned c = 0; c < p->roster_columns_count; c++)
        if (strcasecmp(p->roster_columns[c], "late") == 0)
            return (int)c;
    return -1;
}

static bool is_yes(const char *value)
{
    static const char *const no[] = {"", "no", "false", "0", "-"};
    for (size_t i = 0; i < sizeof no / sizeof no[0]; i++)
        if (strcasecmp(value, no[i]) == 0)
            return false;
    return true;
}

/* A person has looked at the time, or at all points. */
static bool is_decided(const struct run *r, unsigned s)
{
    return overrides_find(&r->overrides, (int)s, -1, OVERRIDE_DEADLINE) ||
           overrides_find(&r->overrides, (int)s, -1, OVERRIDE_POINTS);
}

static void add(struct strbuf *out, const struct strbuf *ids, size_t count, const char *what)
{
    if (count)
        strbuf_addf(
            out,
            "\nlate by the roster, but %s:%s. %zu %s no late penalty. Correct submitted.csv "
            "or the roster, then `paragrade rescore`; or write an override.\n",
            what, ids->s, count, plural(count, "submission has", "submissions have"));
}

char *late_marks(const struct run *r)
{
    const struct plan *p = r->plan;
    const int column = r->assignment->deadline.given ? late_column(p) : -1;
    struct strbuf unknown = STRBUF_INIT, in_time = STRBUF_INIT, out = STRBUF_INIT;
    size_t unknowns = 0, in_times = 0;
    for (unsigned s = 0; s < p->submissions_count && column >= 0; s++) {
        const struct submission *x = &p->submissions[s];
        if (!x->roster_fields || !is_yes(x->roster_fields[column]) || adjust_late(r, s) ||
            is_decided(r, s))
            continue;
        const bool known = adjust_submitted(r, s) != PLAN_NO_TIME;
        strbuf_addf(known ? &in_time : &unknown, " %s", x->id);
        *(known ? &in_times : &unknowns) += 1;
    }
    add(&out, &unknown, unknowns, "its time is not known");
    add(&out, &in_time, in_times, "in time by submitted.csv");
    strbuf_free(&unknown);
    strbuf_free(&in_time);
    return strbuf_detach(&out);
}
