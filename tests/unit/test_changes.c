/* Changes in series of nights: what is one, what is none, and whose it is. */
#include "unit.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "../helpers/rng_unit.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "model/panel.h"

enum { NIGHTS = 40, NIGHTS_MOST = 80 };
static const double THRESHOLD = 9, LEAST = 0.03;

/* Times that vary by +-1 %, always the same ones. */
static double quiet(size_t series, size_t night)
{
    return 0.02 * (rng_unit(rng_at(series + 1, night)) - 0.5);
}

TEST(one_series)
{
    static const struct {
        const char *what;
        size_t nights;
        size_t from, to; /* nights that are different */
        double share;
        int every;    /* only every so many nights are measured */
        size_t found; /* changes */
        size_t since; /* of the first one */
    } table[] = {
        {"nothing measured", 0, 0, 0, 0, 1, 0, 0},
        {"one night", 1, 0, 0, 0, 1, 0, 0},
        {"slower before there is a level", 20, 3, 20, 0.1, 1, 0, 0},
        {"quiet", NIGHTS, 0, 0, 0, 1, 0, 0},
        {"one bad night", NIGHTS, 25, 26, 3.0, 1, 0, 0},
        {"two bad nights", NIGHTS, 25, 27, 3.0, 1, 0, 0},
        {"too small", NIGHTS, 20, NIGHTS, 0.026, 1, 0, 0},
        {"10 % slower", NIGHTS, 20, NIGHTS, 0.1, 1, 1, 20},
        {"10 % slower at the end", 24, 20, 24, 0.1, 1, 1, 20},
        {"10 % slower, too short yet", 22, 20, 22, 0.1, 1, 0, 0},
        {"10 % faster", NIGHTS, 20, NIGHTS, -0.1, 1, 1, 20},
        {"slower, and back", NIGHTS, 20, 30, 0.1, 1, 2, 20},
        {"every second night", NIGHTS_MOST, 40, NIGHTS_MOST, 0.1, 2, 1, 40},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double x[NIGHTS_MOST];
        OWNED struct change *c = NULL;
        for (size_t t = 0; t < table[i].nights; t++) {
            x[t] = quiet(0, t);
            if (t >= table[i].from && t < table[i].to)
                x[t] += log1p(table[i].share);
            if (t % (size_t)table[i].every)
                x[t] = (double)NAN;
        }
        const size_t n = changes_find(x, table[i].nights, THRESHOLD, LEAST, &c);
        if (n != table[i].found || (n && c[0].since != table[i].since))
            fail_msg("%s: %zu changes, the first one on night %zu", table[i].what, n,
                     n ? c[0].since : 0);
        if (n && (fabs(c[0].share - table[i].share) > 0.01 || c[0].low > table[i].share ||
                  c[0].high < table[i].share || c[0].seen < c[0].since))
            fail_msg("%s: %g (%g to %g), seen on night %zu", table[i].what, c[0].share, c[0].low,
                     c[0].high, c[0].seen);
        if (n == 2)
            assert_int_equal(c[1].since, table[i].to);
    }
}

TEST(as_it_is_today)
{
    static const struct {
        const char *what;
        size_t nights, from; /* nights from this one on are slower */
        double share;
        bool any;
        size_t left, since; /* nights since the last change */
        double level;
    } table[] = {
        {"nothing measured", 0, 0, 0, false, 0, 0, 0},
        {"one night", 1, 1, 0, true, 12, 1, 0},
        {"one night is missing", 12, 12, 0, true, 1, 12, 0},
        {"judged", 13, 13, 0, true, 0, 13, 0},
        {"slower", NIGHTS, 30, 0.1, true, 0, 10, 0.1},
        {"two bad nights are no level", NIGHTS, NIGHTS - 2, 0.1, true, 0, NIGHTS, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        double x[NIGHTS];
        struct changes_now now = {0};
        for (size_t t = 0; t < table[i].nights; t++)
            x[t] = quiet(0, t) + (t >= table[i].from ? log1p(table[i].share) : 0);
        const bool any = changes_now(x, table[i].nights, THRESHOLD, LEAST, &now);
        if (any != table[i].any || now.left != table[i].left || now.nights != table[i].since ||
            fabs(expm1(now.level) - table[i].level) > 0.011)
            fail_msg("%s: %zu nights, %zu left, level %g", table[i].what, now.nights, now.left,
                     now.level);
        if (now.nights >= CHANGES_LEARN && !(now.noise > 0.001 && now.noise < 0.011))
            fail_msg("%s: noise %g", table[i].what, now.noise);
    }
}

TEST(thresholds)
{
    assert_true(changes_threshold(0, 0.1) > 0);
    assert_true(changes_threshold(1000, 0.1) > changes_threshold(100, 0.1));
    assert_true(changes_threshold(100, 0.01) > changes_threshold(100, 0.1));
    /* However many false alarms are allowed, one night is no change. */
    assert_true(changes_threshold(1, 1e6) > CHANGES_CLIP - CHANGES_ALLOW);
}

/* --- several nodes ---------------------------------------------------------------------------- */

enum { NODES = 7, TIMES = 4 };

struct cluster {
    double value[NODES * TIMES][NIGHTS];
    struct panel_row row[NODES * TIMES];
    struct panel panel;
};

static struct cluster *cluster_new(void)
{
    struct cluster *c = xcalloc(1, sizeof *c);
    for (size_t i = 0; i < (size_t)NODES * TIMES; i++) {
        for (size_t t = 0; t < NIGHTS; t++)
            c->value[i][t] = (double)i + quiet(i, t);
        c->row[i] = (struct panel_row){i / TIMES, i % TIMES, c->value[i]};
    }
    c->panel = (struct panel){c->row, (size_t)NODES * TIMES, NODES, TIMES, NIGHTS};
    return c;
}

TEST(several_nodes)
{
    enum { EVERY = -1 };
    static const struct {
        const char *what;
        int node, time; /* that are slower; EVERY */
        double share, weekend;
        size_t events, event_node, members;
    } table[] = {
        {"quiet", 0, 0, 0, 0, 0, 0, 0},
        {"weekends", 0, 0, 0, 0.3, 0, 0, 0},
        {"one node", 2, EVERY, 0.1, 0, 1, 2, TIMES},
        {"one node, and weekends", 2, EVERY, 0.1, 0.3, 1, 2, TIMES},
        {"one node faster", 1, EVERY, -0.1, 0, 1, 1, TIMES},
        {"one time of one node", 3, 1, 0.1, 0, 1, 3, 1},
        {"one time of all nodes", EVERY, 1, 0.1, 0, 1, PANEL_ALL_NODES, 1},
        {"everything", EVERY, EVERY, 0.1, 0, 1, PANEL_ALL_NODES, TIMES},
    };
    const struct panel_rules rules = {0.1, LEAST};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED struct cluster *c = cluster_new();
        for (size_t k = 0; k < c->panel.rows; k++) {
            const bool slower =
                (table[i].node == EVERY || c->row[k].node == (size_t)table[i].node) &&
                (table[i].time == EVERY || c->row[k].what == (size_t)table[i].time);
            for (size_t t = 0; t < NIGHTS; t++)
                c->value[k][t] += (t % 7 >= 5 ? table[i].weekend : 0) +
                                  (slower && t >= 25 ? log1p(table[i].share) : 0);
        }
        struct panel_event *e;
        const size_t n = panel_events(&c->panel, &rules, &e);
        if (n != table[i].events)
            fail_msg("%s: %zu events", table[i].what, n);
        if (n && (e[0].node != table[i].event_node || e[0].members != table[i].members ||
                  e[0].change.since != 25 || fabs(e[0].change.share - table[i].share) > 0.01))
            fail_msg("%s: node %zu, %zu members, night %zu, %g", table[i].what, e[0].node,
                     e[0].members, e[0].change.since, e[0].change.share);
        panel_events_free(e, n);
    }
}

TEST(one_after_the_other)
{
    const struct panel_rules rules = {0.1, LEAST};
    OWNED struct cluster *c = cluster_new();
    /* A node is repaired, and another one becomes slower: the peers stay as they are. */
    for (size_t k = 0; k < c->panel.rows; k++)
        for (size_t t = 0; t < NIGHTS; t++)
            c->value[k][t] += (c->row[k].node == 0 && t >= 15 && t < 30 ? 0.1 : 0) +
                              (c->row[k].node == 4 && t >= 22 ? 0.2 : 0);
    struct panel_event *e;
    const size_t n = panel_events(&c->panel, &rules, &e);
    assert_int_equal(n, 3);
    assert_int_equal(e[0].node, 0);
    assert_true(e[0].change.share > 0);
    assert_int_equal(e[1].node, 4);
    assert_int_equal(e[2].node, 0);
    assert_true(e[2].change.share < 0);
    panel_events_free(e, n);
}

/* The change is so new that the node as a whole shows it, and no time of it alone does. */
TEST(no_members)
{
    const struct panel_rules rules = {0.1, LEAST};
    OWNED struct cluster *c = cluster_new();
    for (size_t k = 0; k < c->panel.rows; k++)
        for (size_t t = 0; t < NIGHTS && c->row[k].node == 2; t++)
            c->value[k][t] += 4 * quiet(100 + k, t) + (t >= 34 ? log1p(0.06) : 0);
    struct panel_event *e;
    assert_int_equal(panel_events(&c->panel, &rules, &e), 1);
    assert_int_equal(e[0].node, 2);
    assert_int_equal(e[0].members, 0);
    assert_true(e[0].change.share > 0);
    panel_events_free(e, 1);
}

TEST(empty)
{
    const struct panel_rules rules = {0.1, LEAST};
    const struct panel none = {0};
    struct panel_event *e;
    assert_int_equal(panel_events(&none, &rules, &e), 0);
    panel_events_free(e, 0);
}

TESTS(NULL, NULL)
