#include "report/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "model/source_name.h"
#include "model/unit_sources.h"
#include "report/table.h"
#include "rundir/paths.h"

enum term_style text_verdict_style(enum verdict v)
{
    switch (v) {
    case VERDICT_PASS:
        return TERM_GREEN;
    case VERDICT_SKIPPED:
    case VERDICT_MISSING:
        return TERM_DIM;
    case VERDICT_INFRA_ERROR:
        return TERM_YELLOW;
    default:
        return TERM_RED;
    }
}

void text_number(double v, char out[TEXT_MOST])
{
    const double a = fabs(v);
    if (!isfinite(v))
        snprintf(out, TEXT_MOST, "-");
    else
        snprintf(out, TEXT_MOST, "%.*f", a >= 99.95 ? 0 : a >= 9.995 ? 1 : a >= 0.9995 ? 2 : 3, v);
}

void text_measured(double v, struct interval of, char out[TEXT_MOST])
{
    char n[TEXT_MOST];
    text_number(v, n);
    snprintf(out, TEXT_MOST, "%s%.40s", isfinite(v) && of.unconfirmed ? "~" : "", n);
}

void text_measured_share(double share, struct interval of, char out[TEXT_MOST])
{
    if (!isfinite(share))
        snprintf(out, TEXT_MOST, "-");
    else
        snprintf(out, TEXT_MOST, "%s%.0f%%", of.unconfirmed ? "~" : "", 100 * share);
}

void text_measured_seconds(double s, struct interval of, char out[TEXT_MOST])
{
    char n[TEXT_MOST];
    if (!isfinite(s)) {
        snprintf(out, TEXT_MOST, "-");
        return;
    }
    const double below = 0.9995; /* "1.00 ms", where "1000 us" would follow */
    const bool us = s < below * 1e-3, ms = s < below;
    text_measured(us ? s * 1e6 : ms ? s * 1e3 : s, of, n);
    snprintf(out, TEXT_MOST, "%.40s %s", n, us ? "us" : ms ? "ms" : "s");
}

void text_seconds(double s, char out[TEXT_MOST])
{
    text_measured_seconds(s, (struct interval){.value = s}, out);
}

void text_interval(struct interval i, char out[TEXT_MOST])
{
    char n[TEXT_MOST];
    const double half = stats_relative_half_width(i);
    text_measured(i.value, i, n);
    if (!isfinite(i.value))
        snprintf(out, TEXT_MOST, "%.40s", n);
    else if (half < 0.1)
        snprintf(out, TEXT_MOST, "%.40s ±%.1f%%", n, 100 * half);
    else if (half < 10)
        snprintf(out, TEXT_MOST, "%.40s ±%.0f%%", n, 100 * half);
    else
        snprintf(out, TEXT_MOST, "%.40s ±>999%%", n);
}

/* How many decimals show the same as POINTS_DECIMALS do: zeros at the end are left out. */
static int decimals_of(double most)
{
    char text[TEXT_MOST];
    int n = POINTS_DECIMALS;
    const char *last = text + snprintf(text, sizeof text, "%.*f", n, most) - 1;
    for (; n && *last == '0'; n--)
        last--;
    return n;
}

void text_points_most(double most, char out[TEXT_MOST])
{
    snprintf(out, TEXT_MOST, "%.*f", decimals_of(most), most);
}

void text_points(double points, double most, char out[TEXT_MOST])
{
    const double unit = pow(10, POINTS_DECIMALS);
    const bool whole = fabs(points * unit - round(points * unit)) < 1e-6; /* nothing is cut off */
    const int n = decimals_of(most), own = whole ? decimals_of(points) : 1;
    const int shown = own > n ? own : n;
    snprintf(out, TEXT_MOST, "%.*f", shown > 1 ? shown : 1, points);
}

void text_points_of(double points, double most, char out[TEXT_MOST])
{
    char is[TEXT_MOST], of[TEXT_MOST];
    text_points(points, most, is);
    text_points_most(most, of);
    snprintf(out, TEXT_MOST, "%.20s of %.20s %s", is, of,
             strcmp(of, "1") == 0 ? "point" : "points");
}

bool text_is_rough(struct interval i)
{
    return isfinite(i.value) && i.unconfirmed;
}

void text_launch(const struct tier *t, struct launch l, char out[TEXT_MOST])
{
    int used;
    if (t->gpus_count && t->threads_count == 1 && !launch_kind_has(t->kind, KIND_RANKS))
        used = snprintf(out, TEXT_MOST, "%d %s", launch_gpus(l),
                        plural((unsigned)launch_gpus(l), "GPU", "GPUs"));
    else if (!launch_kind_has(t->kind, KIND_RANKS))
        used = snprintf(out, TEXT_MOST, "%d %s", l.threads,
                        plural((unsigned)l.threads, "thread", "threads"));
    else if (l.threads == 1)
        used =
            snprintf(out, TEXT_MOST, "%d %s", l.ranks, plural((unsigned)l.ranks, "rank", "ranks"));
    else
        used = snprintf(out, TEXT_MOST, "%d %s x %d threads", l.ranks,
                        plural((unsigned)l.ranks, "rank", "ranks"), l.threads);
    if (l.nodes > 1)
        snprintf(out + used, TEXT_MOST - (size_t)used, " on %d nodes", l.nodes);
}

const char *text_run_name(const struct run *r)
{
    const char *slash = strrchr(r->dir, '/');
    return slash ? slash + 1 : r->dir;
}

char *text_author(const struct submission *s)
{
    OWNED char *name = xstrdup(s->name);
    term_make_printable(name);
    const bool shown = strcmp(name, s->name) == 0 && !strpbrk(name, "\n\t") && json_is_text(name);
    return shown && *name && strcmp(name, s->id) != 0 ? xasprintf("%s (%s)", name, s->id)
                                                      : xstrdup(s->id);
}

const char *text_submission(const struct run *r, unsigned unit)
{
    return r->plan->submissions[r->plan->units[unit].submission].id;
}

const char *text_tier(const struct run *r, unsigned unit)
{
    return r->assignment->tiers[r->plan->units[unit].tier].name;
}

const char *text_compile_command(const struct run *r, int unit)
{
    const struct unit *u = &r->plan->units[unit];
    const struct submission *by = &r->plan->submissions[u->submission];
    const struct tier *t = &r->assignment->tiers[u->tier];
    if (!t->compile_cxx)
        return t->compile;
    OWNED char *dir = rundir_sources(r->dir, by->id);
    struct unit_sources s;
    bool cxx = tier_adapts(t, by->is_reference) && source_is_cxx(t->adapter_suffix);
    if (u->source && unit_sources_find(dir, t, u->source, &s, NULL) == 0) {
        cxx = cxx || unit_sources_have_cxx(&s);
        unit_sources_free(&s);
    }
    return cxx ? t->compile_cxx : t->compile;
}
