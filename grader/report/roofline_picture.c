/*
 * What the picture of the rooflines shows. A tier has a point for each submission and size: that of
 * its fastest launch.
 */
#include "report/roofline_picture.h"

#include <math.h>
#include <stdlib.h>

#include "base/plural.h"
#include "base/strbuf.h"
#include "report/text.h"

/* Is there a faster launch of the same unit at the same size? */
static bool is_fastest(const struct picture *p, const struct speed *s)
{
    const struct speeds of = score_speeds(p->board, s->unit);
    for (const struct speed *other = of.first; other < of.end; other++)
        if (shape_equal(other->shape, s->shape) &&
            (other->seconds.value < s->seconds.value ||
             (other->seconds.value == s->seconds.value && other < s)))
            return false;
    return true;
}

static void collect_points(struct picture *p)
{
    const struct plan *plan = p->run->plan;
    const struct speeds of = score_speeds_of(p->board, plan_units_of(plan, p->submission));
    p->point = xcalloc((size_t)(of.end - of.first) + 1, sizeof *p->point);
    for (const struct speed *s = of.first; s < of.end; s++) {
        const struct roofline r = roofline_speed(p->run, p->results, s, BANDWIDTH_MEASURED);
        if (is_fastest(p, s) && isfinite(r.intensity) && isfinite(r.gops))
            p->point[p->points++] =
                (struct point){s, plan->units[s->unit].tier, r.intensity, r.gops, r.operations};
    }
}

/* Takes the label. An unknown or equal roof is not drawn. */
static void add_roof(struct picture *p, double bandwidth, double peak, const char *style,
                     char *label)
{
    bool drawn = p->roofs == ROOFS_MOST || !isfinite(peak) || !isfinite(bandwidth) || peak <= 0;
    for (size_t i = 0; i < p->roofs && !drawn; i++)
        drawn = p->roof[i].bandwidth == bandwidth && p->roof[i].peak == peak;
    if (drawn)
        free(label);
    else
        p->roof[p->roofs++] = (struct roof){bandwidth, peak, label, style};
}

/* "2 cores", "GPU" or "2 GPUs". */
static char *workers_text(const struct node_record *n, struct launch l)
{
    const int workers = launch_workers(l), gpus = launch_gpus(l);
    if (!n->device)
        return xasprintf("%d %s", workers, plural((unsigned)workers, "core", "cores"));
    return gpus == 1 ? xstrdup("GPU") : xasprintf("%d GPUs", gpus);
}

/* A measured bandwidth is that of so many workers, a given one that of the node. */
static void add_roofs(struct picture *p, const struct node_record *n, struct launch l,
                      const struct bandwidths *b, const char *style, const char *given)
{
    const double peak = launch_peak(n, l);
    const char *type = type_name(p->run->assignment->kernel->type);
    char *who = workers_text(n, l), gops[TEXT_MOST], rate[TEXT_MOST];
    text_number(peak, gops);
    for (unsigned i = 0; i < b->count; i++) {
        const bool measured = b->gbs[i] == BANDWIDTH_MEASURED;
        const double gbs = measured ? launch_bandwidth(n, l) : b->gbs[i];
        text_number(gbs, rate);
        if (measured || given)
            add_roof(p, gbs, peak, measured ? style : given,
                     xasprintf("%s, %s: %s GOP/s, %s GB/s%s", who, type, gops, rate,
                               measured ? "" : " (given)"));
    }
    free(who);
}

/* Takes `what`. */
static void add_level(struct picture *p, double peak, const char *style, char *what)
{
    char gops[TEXT_MOST];
    text_number(peak, gops);
    add_roof(p, 0, peak, style, xasprintf("%s: %s GOP/s", what, gops));
    free(what);
}

/* The ceilings of other types, and of tensor cores. */
static void add_levels(struct picture *p, const struct node_record *n, struct launch l)
{
    static const char *const styles[TYPE_COUNT] = {"lc rgb '#999999' lw 1.2 dt (8,4)",
                                                   "lc rgb '#999999' lw 1.2 dt (4,4)",
                                                   "lc rgb '#999999' lw 1.2 dt (2,3)"};
    const int workers = launch_workers(launch_on_node(l)),
              times = n->device ? launch_gpus(l) : launch_nodes(l);
    OWNED char *who = workers_text(n, l);
    for (int t = 0; t < TYPE_COUNT; t++)
        if (t != (int)p->run->assignment->kernel->type)
            add_level(p, times * node_type_peak(n, (enum element_type)t, workers), styles[t],
                      xasprintf("%s, %s", who, type_name((enum element_type)t)));
    if (n->ceilings_count)
        add_level(p, times * n->ceilings[0].tensor_gops, "lc rgb '#999999' lw 1.2 dt (12,3,2,3)",
                  xasprintf("%s, f64 tensor cores", who));
}

/* The roofs of the first node with a host, and of the first one with a device, that a point is
 * from: for one worker and for the most workers. */
static void collect_roofs(struct picture *p)
{
    const struct node_record *host = NULL, *device = NULL;
    const struct launch one = launch_here(1, 1);
    struct launch most = one, most_gpus = one;
    for (size_t i = 0; i < p->points; i++) {
        const struct speed *s = p->point[i].speed;
        const struct node_record *n = roofline_node(p->results, p->results->unit[s->unit]);
        if (n && n->device)
            device = device ? device : n;
        else if (n)
            host = host ? host : n;
        if (n && n == host && launch_workers(s->launch) > launch_workers(most))
            most = s->launch;
        if (n && n == device && launch_gpus(s->launch) > launch_gpus(most_gpus))
            most_gpus = s->launch;
    }
    const struct assignment *a = p->run->assignment;
    if (host)
        add_roofs(p, host, most, &a->bandwidth, "lc rgb '#333333' lw 2.5",
                  "lc rgb '#333333' lw 2 dt (16,4)");
    if (host && launch_workers(most) > 1)
        add_roofs(p, host, one, &a->bandwidth, "lc rgb '#888888' lw 1.8", NULL);
    if (device)
        add_roofs(p, device, most_gpus, &a->device_bandwidth, "lc rgb '#76448A' lw 2.5",
                  "lc rgb '#76448A' lw 2 dt (16,4)");
    if (device && launch_gpus(most_gpus) > 1)
        add_roofs(p, device, one, &a->device_bandwidth, "lc rgb '#A884B8' lw 1.8", NULL);
    if (host)
        add_levels(p, host, most);
    if (device)
        add_levels(p, device, most_gpus);
}

static void widen(double *low, double *high, double v)
{
    *low = fmin(*low, v);
    *high = fmax(*high, v);
}

/* Room for all points, and for where the slopes end. */
static void choose_axes(struct picture *p)
{
    p->left = p->low = INFINITY;
    p->right = p->high = 0;
    for (size_t i = 0; i < p->points; i++) {
        widen(&p->left, &p->right, p->point[i].x);
        widen(&p->low, &p->high, p->point[i].y);
    }
    for (size_t i = 0; i < p->roofs; i++) {
        widen(&p->low, &p->high, p->roof[i].peak);
        if (p->roof[i].bandwidth > 0)
            widen(&p->left, &p->right, p->roof[i].peak / p->roof[i].bandwidth);
    }
    p->left /= 4;
    p->right *= 4;
    p->low /= 2.5;
    p->high *= 2.5;
}

/* With its own file, and on a page, where a table stands for the legend. */
static const struct roofline_frame sheet = {1160, 640, 80, 370, 50, 70, true},
                                   page = {560, 420, 70, 20, 20, 65, false};

static void collect(struct picture *p)
{
    collect_points(p);
    collect_roofs(p);
    if (p->points)
        choose_axes(p);
}

static void release(struct picture *p)
{
    for (size_t i = 0; i < p->roofs; i++)
        free(p->roof[i].label);
    free(p->point);
}

int roofline_picture(const struct run *r, const struct results *res, const struct scoreboard *b,
                     int submission, const char *path, struct err *e)
{
    struct picture p = {
        .frame = &sheet, .run = r, .results = res, .board = b, .submission = submission};
    int rc;
    collect(&p);
    if (p.points)
        rc = roofline_svg(&p, path, e);
    else
        rc = err_system(e, "there is nothing to draw: no time was measured");
    release(&p);
    return rc;
}

bool roofline_page_script(const struct run *r, const struct results *res,
                          const struct scoreboard *b, int submission, struct strbuf *script)
{
    struct picture p = {
        .frame = &page, .run = r, .results = res, .board = b, .submission = submission};
    collect(&p);
    const bool any = p.points > 0;
    if (any)
        roofline_script(&p, script);
    release(&p);
    return any;
}
