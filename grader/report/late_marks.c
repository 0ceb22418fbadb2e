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

/* Does the roster call the submission late? */
static bool is_marked(const struct plan *p, unsigned s, int column)
{
    return column >= 0 && p->submissions[s].roster_fields &&
           is_yes(p->submissions[s].roster_fields[column]);
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

/* Of each submission: was a source handed in? The caller frees it. */
static bool *handed_in(const struct plan *p)
{
    bool *in = xcalloc((size_t)p->submissions_count + 1, sizeof *in);
    for (unsigned u = 0; u < p->units_count; u++)
        if (p->units[u].source && !p->submissions[p->units[u].submission].is_reference)
            in[p->units[u].submission] = true;
    return in;
}

/* Without a row in submitted.csv, nobody is late: whoever forgot the file must know. */
static void add_timeless(struct strbuf *out, const struct run *r, int column)
{
    OWNED bool *in = handed_in(r->plan);
    FREED_BY(strbuf_free) struct strbuf ids = STRBUF_INIT;
    size_t count = 0, all = 0;
    for (unsigned s = 0; s < r->plan->submissions_count; s++) {
        all += in[s];
        if (!in[s] || adjust_submitted(r, s) != PLAN_NO_TIME || is_decided(r, s) ||
            is_marked(r->plan, s, column))
            continue;
        strbuf_addf(&ids, " %s", r->plan->submissions[s].id);
        count++;
    }
    if (count && count == all)
        strbuf_adds(out, "\nno time of a submission is known, so nobody is late.");
    else if (count)
        strbuf_addf(out, "\nthe time of %zu %s is not known, so %s not late:%s.", count,
                    plural(count, "submission", "submissions"), plural(count, "it is", "they are"),
                    ids.s);
    if (count)
        strbuf_adds(out, " Write submitted.csv (docs/semester.md), then `paragrade rescore`.\n");
}

char *late_marks(const struct run *r)
{
    const struct plan *p = r->plan;
    const int column = r->assignment->deadline.given ? late_column(p) : -1;
    FREED_BY(strbuf_free) struct strbuf unknown = STRBUF_INIT, in_time = STRBUF_INIT;
    struct strbuf out = STRBUF_INIT;
    size_t unknowns = 0, in_times = 0;
    for (unsigned s = 0; s < p->submissions_count && column >= 0; s++) {
        if (!is_marked(p, s, column) || adjust_late(r, s) || is_decided(r, s))
            continue;
        const bool known = adjust_submitted(r, s) != PLAN_NO_TIME;
        strbuf_addf(known ? &in_time : &unknown, " %s", p->submissions[s].id);
        *(known ? &in_times : &unknowns) += 1;
    }
    add(&out, &unknown, unknowns, "its time is not known");
    add(&out, &in_time, in_times, "in time by submitted.csv");
    if (r->assignment->deadline.given)
        add_timeless(&out, r, column);
    return strbuf_detach(&out);
}
