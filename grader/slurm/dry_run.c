#include "slurm/dry_run.h"

#include <string.h>

#include "base/install.h"
#include "base/plural.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "execute/proctor_program.h"
#include "model/weak.h"
#include "slurm/array_request.h"
#include "slurm/groups.h"
#include "slurm/query.h"
#include "slurm/share.h"
#include "slurm/submit.h"

enum { ARRAY_UNKNOWN = 1001 /* Slurm's default of MaxArraySize */ };

/* Seconds. Where nothing is known from before: from measuring alone to all limits used up. */
struct sums {
    double measuring, likely, most;               /* of all units */
    double soonest, expected, latest;             /* until the end */
    double nodes_least, nodes_likely, nodes_most; /* node-seconds */
};

static unsigned units_to_run(const struct run *r, int *units)
{
    unsigned n = 0;
    for (unsigned i = 0; i < r->plan->units_count; i++)
        if (!r->plan->units[i].preset)
            units[n++] = (int)i;
    return n;
}

/* The time that the assignment wants for measuring a unit. */
static double measuring_seconds(const struct assignment *a, const struct tier *t)
{
    return 1e-3 * (double)a->performance.budget_ms * weak_timed_count(a, t);
}

/* An argument as a shell would take it. */
static void add_argument(struct strbuf *line, const char *word)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=./,:%+@";
    if (line->len)
        strbuf_adds(line, " ");
    if (*word && strspn(word, plain) == strlen(word)) {
        strbuf_adds(line, word);
        return;
    }
    strbuf_adds(line, "'");
    for (; *word; word++)
        strbuf_adds(line, *word == '\'' ? "'\\''" : (char[]){*word, '\0'});
    strbuf_adds(line, "'");
}

/* The real name of the job ends with a random part. */
static void print_sbatch(const struct array_setting *at, const char *run_id,
                         const struct resources *res, const struct slurm_share *share, int number,
                         FILE *out)
{
    OWNED char *name = xasprintf("pg-%s-%d", run_id, number);
    const struct slurm_job j = {
        .number = number, .name = name, .elements = share->elements, .throttle = share->throttle};
    FREED_BY(array_request_free) struct array_request r = {0};
    array_request_make(at, &j, res, &r);
    OWNED_TEXTS char **argv = slurm_sbatch_argv(&r.q);
    FREED_BY(strbuf_free) struct strbuf line = STRBUF_INIT;
    for (char **a = argv; *a; a++)
        add_argument(&line, *a);
    fprintf(out, "%s\n", line.s);
}

static void add_group(const struct run *r, const struct slurm_group *g,
                      const struct forecast *earlier, struct sums *f)
{
    const struct assignment *a = r->assignment;
    const double limit = 1e-3 * (double)(a->limits.build_ms + a->limits.unit_ms);
    const unsigned most = a->submit.max_concurrent > 0 ? (unsigned)a->submit.max_concurrent : 1;
    const unsigned at_a_time = g->count && g->count < most ? g->count : most;
    const double nodes = g->res.nodes > 0 ? g->res.nodes : 1;
    double least = 0, longest = 0, likely = 0, longest_likely = 0;
    for (unsigned i = 0; i < g->count; i++) {
        const double s = measuring_seconds(a, &a->tiers[r->plan->units[g->unit[i]].tier]);
        least += s;
        longest = s > longest ? s : longest;
        const double was = earlier->seconds[r->plan->units[g->unit[i]].tier];
        likely += was;
        longest_likely = was > longest_likely ? was : longest_likely;
    }
    const unsigned rounds = (g->count + at_a_time - 1) / at_a_time;
    const double all = limit * g->count;
    const double soonest = least / at_a_time > longest ? least / at_a_time : longest;
    const double expected =
        likely / at_a_time > longest_likely ? likely / at_a_time : longest_likely;
    f->likely += likely;
    f->nodes_likely += nodes * likely;
    f->expected = expected > f->expected ? expected : f->expected;
    f->measuring += least;
    f->most += all;
    f->nodes_least += nodes * least;
    f->nodes_most += nodes * all;
    f->soonest = soonest > f->soonest ? soonest : f->soonest;
    f->latest = rounds * limit > f->latest ? rounds * limit : f->latest;
}

static void print_row(FILE *out, const char *what, double least, double most)
{
    char from[FORECAST_TEXT], to[FORECAST_TEXT];
    forecast_text(least, from);
    forecast_text(most, to);
    fprintf(out, "  %-28s%s to %s\n", what, from, to);
}

/* One number where an earlier run tells it. */
static void print_times(FILE *out, const struct sums *f, const struct forecast *earlier)
{
    char all[FORECAST_TEXT], end[FORECAST_TEXT];
    if (earlier->from) {
        forecast_text(f->likely, all);
        forecast_text(f->expected, end);
        fprintf(out, "\nLikely, as in run %s:\n", earlier->from);
        fprintf(out, "  %-28s%s\n  %-28s%s\n  %-28s%.2f\n", "all units together", all,
                "until the end", end, "node-hours", f->nodes_likely / 3600);
    } else {
        fputs("\nFrom measuring alone to all limits used up:\n", out);
        print_row(out, "all units together", f->measuring, f->most);
        print_row(out, "until the end", f->soonest, f->latest);
        fprintf(out, "  %-28s%.2f to %.2f\n", "node-hours", f->nodes_least / 3600,
                f->nodes_most / 3600);
    }
    term_print(out, 0,
               "The end comes later if the cluster runs fewer elements at a time than "
               "submit.max_concurrent.%s\n",
               earlier->from ? ""
                             : " Compiling, checking and the records of nodes come on top of the "
                               "smaller numbers.");
}

int slurm_dry_run(const struct run *r, const struct execute_options *o, const char *shown,
                  const struct forecast *earlier, FILE *out, struct err *e)
{
    OWNED_TEXTS char **prefix = execute_prefix(&o->site, e);
    if (!prefix)
        return -1;
    OWNED char *script = install_share("sbatch/unit.sbatch"), *proctor = execute_proctor();
    const struct array_setting at = {
        .run = shown, .proctor = proctor, .script = script, .prefix = prefix};
    const struct slurm_layers layers = {.given = &o->given, .site = &o->site};
    OWNED int *units = xcalloc(r->plan->units_count + 1, sizeof *units);
    const unsigned count = units_to_run(r, units);
    const struct slurm_units all = {.index = units, .count = count};
    long max_array = r->assignment->submit.max_array_size;
    char why[SLURM_WHY];
    FREED_BY(slurm_groups_free) struct slurm_groups groups = {0};
    struct sums f = {0};
    if (max_array <= 0 &&
        (slurm_max_array_size(&max_array, why) != SLURM_ANSWERED || max_array <= 0))
        max_array = ARRAY_UNKNOWN;
    slurm_groups_make(r->assignment, r->plan, &all, &layers, &groups);
    fprintf(out, "%u %s to run, %u known without running\n\n", count,
            plural(count, "unit", "units"), r->plan->units_count - count);
    int number = 0;
    for (unsigned i = 0; i < groups.count; i++) {
        const struct slurm_group *g = &groups.item[i];
        const struct share_limits limits = {r->assignment->submit.max_concurrent, max_array};
        for (unsigned taken = 0; taken < g->count;) {
            const struct slurm_share share = share_next(g, taken, &limits);
            print_sbatch(&at, r->plan->run_id, &g->res, &share, ++number, out);
            taken += share.units.count;
        }
        add_group(r, g, earlier, &f);
    }
    print_times(out, &f, earlier);
    return 0;
}
