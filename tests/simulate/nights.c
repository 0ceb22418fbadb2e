/*
 * nights: the rules that find changes (grader/model/changes.h) in histories whose truth is known.
 *
 *     nights [--nights N] [--nodes N] [--times N] [--false-alarms X] [--world NAME] [--threshold H]
 *
 * Each world is a cluster of so many nodes with so many times each (tiers and sizes). In the quiet
 * part nothing changes for N nights: every event is a false alarm. Then, many times, one node
 * becomes 10 % slower, after 30 quiet nights: how often is that found within 16 nights, in how
 * many, and how many of the other nodes are called slower? Exit status 1 when a goal is missed:
 * marked with `!`.
 *
 * --threshold replaces the threshold that follows from --false-alarms: for choosing its constants.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../helpers/rng_unit.h"
#include "base/parse.h"
#include "base/rng.h"
#include "base/stats.h"
#include "base/strbuf.h"
#include "model/panel.h"

struct world {
    const char *name, *about;
    double noise;   /* of each time, as a share */
    double tail;    /* degrees of freedom of Student's distribution; 0: normal */
    double memory;  /* correlation of one night with the next one, 0..1 */
    double spoiled; /* share of nights on which all times of a node are 5 to 40 % longer */
    double drift;   /* of a node from night to night */
    double common;  /* of all nodes from night to night, and at weekends ten times as much */
    double missing; /* share of nights on which a node is not measured */
    double steps;   /* times come in steps of this share */
    int found;      /* goal: nights within which nine of ten slower nodes are found; 0: none */
};

static const struct world worlds[] = {
    {"normal", "times vary by 1 %", .noise = 0.01, .found = 5},
    {"equal", "times vary by 0.1 %", .noise = 0.001, .found = 5},
    {"tails", "by 1.5 %, with many outliers", .noise = 0.015, .tail = 2, .found = 5},
    {"memory", "by 1.5 %, and often as the night before", .noise = 0.015, .memory = 0.5,
     .found = 6},
    {"spoiled", "one night in twenty is spoiled", .noise = 0.01, .spoiled = 0.05, .found = 6},
    {"drift", "nodes drift", .noise = 0.01, .drift = 0.001, .found = 6},
    {"common", "all nodes drift, and are slower at weekends", .noise = 0.01, .common = 0.002,
     .found = 5},
    {"missing", "a node is measured every second night", .noise = 0.01, .missing = 0.5,
     .found = 14},
    {"steps", "times come in steps of 2 %", .noise = 0.01, .steps = 0.02, .found = 6},
    {"noisy", "times vary by 4 %", .noise = 0.04, .found = 0},
    {"all", "some of everything", .noise = 0.012, .tail = 3, .memory = 0.3, .spoiled = 0.02,
     .drift = 0.0005, .common = 0.001, .missing = 0.1, .found = 7},
};

static struct options {
    size_t nights, nodes, times;
    double false_alarms, threshold;
    const char *world;
} opt = {.nights = 1000, .nodes = 8, .times = 4, .false_alarms = 0.1, .threshold = NAN};

enum { PLANTS = 40, BEFORE = 30, AFTER = 16 };
static const double PLANTED = 0.10, LEAST = 0.03;

/* --- random histories ------------------------------------------------------------------------- */

struct random {
    uint64_t key, counter;
};

static double uniform(struct random *r)
{
    return rng_unit(rng_at(r->key, r->counter++));
}

static double normal(struct random *r)
{
    const double u = 1 - uniform(r);
    return sqrt(-2 * log(u)) * cos(2 * M_PI * uniform(r));
}

/* Student's distribution, scaled so that its quartiles are those of a normal one. */
static double noise(struct random *r, double freedom)
{
    const double z = normal(r);
    if (freedom <= 0)
        return z;
    double squares = 0;
    for (int i = 0; i < (int)freedom; i++) {
        const double x = normal(r);
        squares += x * x;
    }
    return z / sqrt(squares / freedom) * 0.85;
}

struct history {
    struct panel panel;
    struct panel_row *row;
    double *value; /* row after row */
};

static void history_free(struct history *h)
{
    free(h->row);
    free(h->value);
}

static void fill_node(const struct world *w, size_t node, size_t nights, const double *common,
                      struct random *r, struct history *h)
{
    double *kept = xcalloc(opt.times + 1, sizeof *kept), drift = 0;
    for (size_t t = 0; t < nights; t++) {
        drift += w->drift * normal(r);
        const double spoiled = uniform(r) < w->spoiled ? 0.05 + 0.35 * uniform(r) : 0;
        const int missing = uniform(r) < w->missing;
        for (size_t k = 0; k < opt.times; k++) {
            kept[k] = w->memory * kept[k] + sqrt(1 - w->memory * w->memory) * noise(r, w->tail);
            double x = 1 + drift + common[t] + spoiled + w->noise * kept[k];
            if (w->steps > 0)
                x = round(x / w->steps) * w->steps;
            h->value[(node * opt.times + k) * nights + t] = missing ? (double)NAN : x;
        }
    }
    free(kept);
}

static struct history history_new(const struct world *w, size_t nights, uint64_t seed)
{
    const size_t rows = opt.nodes * opt.times;
    struct history h = {.row = xcalloc(rows, sizeof *h.row),
                        .value = xcalloc(rows * nights, sizeof *h.value)};
    struct random r = {seed, 0};
    double *common = xcalloc(nights, sizeof *common), drift = 0;
    for (size_t t = 0; t < nights; t++) {
        drift += w->common * normal(&r);
        common[t] = drift + (t % 7 >= 5 ? 10 * w->common : 0);
    }
    for (size_t n = 0; n < opt.nodes; n++)
        fill_node(w, n, nights, common, &r, &h);
    for (size_t i = 0; i < rows; i++)
        h.row[i] = (struct panel_row){i / opt.times, i % opt.times, h.value + i * nights};
    h.panel = (struct panel){h.row, rows, opt.nodes, opt.times, nights};
    free(common);
    return h;
}

/* --- what the rules make of them -------------------------------------------------------------- */

static struct panel_rules rules(const struct panel *p)
{
    struct panel_rules r = {opt.false_alarms, LEAST};
    for (double low = 1e-9, high = 1e9; !isnan(opt.threshold) && high / low > 1.0001;) {
        r.false_alarms = sqrt(low * high);
        if (changes_threshold(panel_series(p), r.false_alarms) > opt.threshold)
            low = r.false_alarms;
        else
            high = r.false_alarms;
    }
    return r;
}

static size_t slower(const struct panel_event *e, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += e[i].change.share > 0;
    return count;
}

static double false_alarms(const struct world *w)
{
    FREED_BY(history_free) struct history h = history_new(w, opt.nights, 1);
    const struct panel_rules with = rules(&h.panel);
    struct panel_event *e;
    const size_t n = panel_events(&h.panel, &with, &e), count = slower(e, n);
    panel_events_free(e, n);
    return (double)count;
}

struct planted {
    double found;  /* share */
    double nights; /* ninth decile; of those that were not found: AFTER + 1 */
    double others; /* events of nodes that did not change, in all histories */
    double off;    /* median error of the size, in percent */
};

static struct planted plant(const struct world *w)
{
    struct planted p = {0};
    double nights[PLANTS], off[PLANTS];
    size_t found = 0;
    for (size_t i = 0; i < PLANTS; i++) {
        FREED_BY(history_free) struct history h = history_new(w, BEFORE + AFTER, 1000 + i);
        const struct panel_rules with = rules(&h.panel);
        const size_t node = i % opt.nodes;
        for (size_t k = 0; k < opt.times; k++)
            for (size_t t = BEFORE; t < BEFORE + AFTER; t++)
                h.value[(node * opt.times + k) * h.panel.nights + t] += log1p(PLANTED);
        struct panel_event *e;
        const size_t n = panel_events(&h.panel, &with, &e);
        nights[i] = AFTER + 1;
        for (size_t j = 0; j < n; j++) {
            if (e[j].change.share <= 0)
                continue;
            if (e[j].node != node || e[j].change.seen < BEFORE) {
                p.others++;
            } else if (nights[i] > AFTER) {
                nights[i] = (double)(e[j].change.seen - BEFORE + 1);
                off[found++] = 100 * fabs(e[j].change.share - PLANTED);
            }
        }
        panel_events_free(e, n);
    }
    p.found = (double)found / PLANTS;
    p.nights = stats_quantile(nights, PLANTS, 0.9);
    p.off = stats_median(off, found);
    return p;
}

/* More alarms than this are no chance, if so many are expected (one in a hundred). */
static double chance(double expected)
{
    double p = exp(-expected), all = p;
    int n = 0;
    while (all < 0.99)
        all += p *= expected / ++n;
    return n;
}

static int run_world(const struct world *w)
{
    const double months = (double)opt.nights / 30, alarms = false_alarms(w);
    const struct planted p = plant(w);
    const double expected = opt.false_alarms * months;
    const int too_many = alarms > chance(expected), late = w->found && p.nights > w->found;
    const int others = p.others > chance(opt.false_alarms * PLANTS * (BEFORE + AFTER) / 30.0);
    printf("%-8s %5.0f%s %8.3f %8.0f%% %6.1f%s %6.0f%s %8.1f   %s\n", w->name, alarms,
           too_many ? "!" : " ", alarms / months, 100 * p.found, p.nights, late ? "!" : " ",
           p.others, others ? "!" : " ", p.off, w->about);
    fflush(stdout);
    return too_many + late + others;
}

/* --- arguments -------------------------------------------------------------------------------- */

static int usage(void)
{
    fprintf(stderr, "usage: nights [--nights N] [--nodes N] [--times N] [--false-alarms X] "
                    "[--world NAME] [--threshold H]\n");
    return 2;
}

static int count(const char *text, size_t *out)
{
    long long n;
    if (parse_int(text, 1, 100000, &n, NULL) != 0)
        return -1;
    *out = (size_t)n;
    return 0;
}

static int take(const char *name, const char *value)
{
    if (strcmp(name, "--nights") == 0)
        return count(value, &opt.nights);
    if (strcmp(name, "--nodes") == 0)
        return count(value, &opt.nodes);
    if (strcmp(name, "--times") == 0)
        return count(value, &opt.times);
    if (strcmp(name, "--false-alarms") == 0)
        return parse_double(value, 1e-6, 1e6, &opt.false_alarms, NULL);
    if (strcmp(name, "--threshold") == 0)
        return parse_double(value, 0, 1e6, &opt.threshold, NULL);
    opt.world = value;
    return strcmp(name, "--world") == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    int missed = 0, ran = 0;
    for (int i = 1; i < argc; i += 2)
        if (i + 1 >= argc || take(argv[i], argv[i + 1]) != 0)
            return usage();
    const struct panel size = {
        .rows = opt.nodes * opt.times, .nodes = opt.nodes, .whats = opt.times};
    printf("%zu quiet nights, %zu series; stated: %g false alarms a month; threshold %.1f\n"
           "world    alarms  a month    found nights others  off %%\n",
           opt.nights, panel_series(&size), opt.false_alarms,
           isnan(opt.threshold) ? changes_threshold(panel_series(&size), opt.false_alarms)
                                : opt.threshold);
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) {
        if (opt.world && strcmp(opt.world, worlds[i].name) != 0)
            continue;
        missed += run_world(&worlds[i]);
        ran++;
    }
    if (!ran)
        return usage();
    printf("%d worlds: %d goals missed\n", ran, missed);
    return missed ? 1 : 0;
}
