#include "execute/forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/fsio.h"
#include "base/plural.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "model/weak.h"
#include "rundir/paths.h"
#include "rundir/results.h"

/* The mean of each tier's units that ran; a tier without any is unknown. */
static void take_means(const struct run *r, const struct run *old, const struct results *res,
                       struct forecast *f)
{
    for (unsigned t = 0; t < r->assignment->tiers_count; t++) {
        const int same = assignment_tier(old->assignment, r->assignment->tiers[t].name);
        double sum = 0;
        unsigned n = 0;
        for (unsigned i = 0; i < res->unit_count; i++) {
            const struct unit_result *u = res->unit[i];
            if (!u || old->plan->units[i].tier != same || u->total_seconds <= 0)
                continue;
            sum += u->total_seconds;
            n++;
        }
        f->seconds[t] = n ? sum / n : (double)NAN;
    }
}

/* Does every unit that is to run have a time? */
static bool is_known(const struct run *r, const struct forecast *f)
{
    for (unsigned i = 0; i < r->plan->units_count; i++)
        if (!r->plan->units[i].preset && !isfinite(f->seconds[r->plan->units[i].tier]))
            return false;
    return true;
}

/* False: the run is about something else, or says too little. */
static bool learn_from(const struct run *r, const char *dir, struct forecast *f)
{
    FREED_BY(run_close) struct run old = {0};
    struct results res = {0};
    struct err ignored = ERR_INIT;
    if (run_open(dir, &old, &ignored) != 0)
        return false;
    bool known = strcmp(old.assignment->name, r->assignment->name) == 0 &&
                 strcmp(old.plan->profile, r->plan->profile) == 0 &&
                 old.plan->sweep == r->plan->sweep && !subset_is_part(&old.plan->only);
    if (known) {
        results_read(&old, &res, NULL, NULL);
        take_means(r, &old, &res, f);
        known = is_known(r, f);
        results_free(&res);
    }
    return known;
}

void forecast_make(const struct run *r, const char *reports, struct forecast *f)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    double newest = 0;
    *f = (struct forecast){.seconds = xcalloc(r->assignment->tiers_count + 1, sizeof *f->seconds)};
    if (fs_list(reports, &names, &count, NULL) != 0)
        return;
    struct forecast one = {.seconds = xcalloc(r->assignment->tiers_count + 1, sizeof(double))};
    for (size_t i = 0; i < count; i++) {
        OWNED char *dir = xasprintf("%s/%s", reports, names[i]), *plan = rundir_plan(dir);
        struct stat st;
        if (names[i][0] != '.' && stat(plan, &st) == 0 && difftime(st.st_mtime, 0) >= newest &&
            learn_from(r, dir, &one)) {
            newest = difftime(st.st_mtime, 0);
            memcpy(f->seconds, one.seconds, r->assignment->tiers_count * sizeof *f->seconds);
            free(f->from);
            f->from = xstrdup(names[i]);
        }
    }
    free(one.seconds);
}

void forecast_free(struct forecast *f)
{
    free(f->from);
    free(f->seconds);
    *f = (struct forecast){0};
}

/* Those that run are half over, on average. */
double forecast_left(double each, size_t running, size_t waiting)
{
    return running && each > 0 ? each * (0.5 + (double)waiting / (double)running) : -1;
}

void forecast_text(double seconds, char out[FORECAST_TEXT])
{
    if (seconds < 120)
        snprintf(out, FORECAST_TEXT, "%.0f s", seconds);
    else if (seconds < 7200)
        snprintf(out, FORECAST_TEXT, "%.0f min", seconds / 60);
    else
        snprintf(out, FORECAST_TEXT, "%.1f h", seconds / 3600);
}

/* Without an earlier run: what the assignment gives for measuring. */
static double measuring(const struct assignment *a, const struct tier *t)
{
    return 1e-3 * (double)a->performance.budget_ms * weak_timed_count(a, t);
}

void forecast_print_local(const struct run *r, const struct forecast *f, int jobs, FILE *out)
{
    char text[FORECAST_TEXT];
    unsigned n = 0;
    double sum = 0, least = 0;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        if (u->preset)
            continue;
        n++;
        sum += f->seconds[u->tier];
        least += measuring(r->assignment, &r->assignment->tiers[u->tier]);
    }
    fprintf(out, "%u %s to run here, %u known without running\n", n, plural(n, "unit", "units"),
            r->plan->units_count - n);
    forecast_text((f->from ? sum : least) / (jobs > 0 ? jobs : 1), text);
    if (f->from)
        term_print(out, 2,
                   "likely %s, as in run %s; timed runs take turns, so more jobs help "
                   "less\n",
                   text, f->from);
    else
        term_print(out, 2,
                   "measuring takes about %s, compiling and checking come on top: there is no "
                   "earlier run of this assignment and profile to learn from\n",
                   text);
}
