/* The units of a run as a picture: whatever the class, it fits the terminal. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/term.h"
#include "execute/unit_grid.h"

enum { TIERS = 7, CLASS_MOST = 210 };

static const char *const tier_name[TIERS] = {"naive", "locality", "simd",   "openmp",
                                             "mpi",   "cuda",     "openacc"};

/* A class: every submission has a unit in each tier. */
struct class
{
    struct tier tier[TIERS];
    struct assignment assignment;
    struct submission submission[CLASS_MOST];
    struct unit unit[CLASS_MOST * TIERS];
    struct plan plan;
    struct unit_now now[CLASS_MOST * TIERS];
    struct unit_grid grid;
};

static struct class *class_make(unsigned submissions, unsigned tiers)
{
    struct class *c = xcalloc(1, sizeof *c);
    for (unsigned i = 0; i < tiers; i++)
        c->tier[i].name = xstrdup(tier_name[i]);
    c->assignment.tiers = c->tier;
    c->assignment.tiers_count = tiers;
    for (unsigned s = 0; s < submissions; s++) {
        c->submission[s].name = xasprintf("s%03u", s);
        for (unsigned i = 0; i < tiers; i++)
            c->unit[s * tiers + i] = (struct unit){.submission = (int)s, .tier = (int)i};
    }
    c->plan = (struct plan){.submissions = c->submission,
                            .submissions_count = submissions,
                            .units = c->unit,
                            .units_count = submissions * tiers};
    c->grid = (struct unit_grid){&c->plan, &c->assignment, c->now};
    return c;
}

static void class_free(struct class *c)
{
    for (unsigned i = 0; i < TIERS; i++)
        free(c->tier[i].name);
    for (unsigned s = 0; s < CLASS_MOST; s++)
        free(c->submission[s].name);
    free(c);
}

static void assert_picture(const struct class *c, int columns, int lines, const char *wanted)
{
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    unit_grid_draw(&c->grid, stdout, columns, lines, &out);
    assert_string_equal(out.s, wanted);
}

TEST(stages)
{
    static const struct {
        const char *words;
        enum unit_stage stage;
    } table[] = {
        {"", UNIT_RUNS},
        {"something new", UNIT_RUNS},
        {"buil", UNIT_RUNS},
        {"building", UNIT_BUILDS},
        {"waiting for its turn", UNIT_WAITS},
        {"waiting for run x of yours on this node", UNIT_WAITS},
        {"measuring this node, about 20 s", UNIT_MEASURES_NODE},
        {"checking results", UNIT_CHECKS},
        {"looking for the smallest case that fails", UNIT_CHECKS},
        {"timing", UNIT_TIMED},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (unit_stage_of_words(table[i].words) != table[i].stage)
            fail_msg("'%s': %d", table[i].words, (int)unit_stage_of_words(table[i].words));
}

TEST(with_words)
{
    struct class *c = class_make(3, 3);
    free(c->submission[1].name);
    c->submission[1].name = xstrdup("\xc3\xa9mile\033[31m and a long name");
    c->now[0] = (struct unit_now){UNIT_DONE, VERDICT_PASS};
    c->now[1] = (struct unit_now){UNIT_DONE, VERDICT_WROTE_OUT_OF_BOUNDS};
    c->now[2] = (struct unit_now){.stage = UNIT_MEASURES_NODE};
    c->now[4] = (struct unit_now){UNIT_DONE, VERDICT_MISSING};
    c->now[5] = (struct unit_now){.stage = UNIT_NO_VERDICT};
    c->submission[3].name = xstrdup("has no unit");
    c->plan.submissions_count++;
    c->plan.units_count--; /* the last submission has no unit in the last tier */
    assert_picture(c, 62, 4,
                   "                      naive         locality      simd\n"
                   "s000                  pass          bounds        node\n"
                   "\xc3\xa9mile [31m and a ...  to do         missing       no verdict\n"
                   "s002                  to do         to do\n");
    class_free(c);
}

TEST(with_letters)
{
    struct class *c = class_make(5, 3);
    static const enum verdict verdict[] = {VERDICT_PASS, VERDICT_SKIPPED, VERDICT_MISSING,
                                           VERDICT_CRASH, VERDICT_INFRA_ERROR};
    for (unsigned i = 0; i < 5; i++)
        c->now[i] = (struct unit_now){UNIT_DONE, verdict[i]};
    for (unsigned i = UNIT_QUEUED; i < UNIT_DONE; i++)
        c->now[4 + i].stage = (enum unit_stage)i;
    /* Too narrow for words. */
    assert_picture(c, 40, 8,
                   "s000 +s-   s002 lwb   s004 r!=\n"
                   "s001 x!q   s003 nct\n"
                   "naive locality simd   q queued l lost\n"
                   "w waits b building n node c checking\n"
                   "t timing r running ! no verdict\n"
                   "= done before + pass x fails - missing\n"
                   "s skipped\n");
    class_free(c);
}

TEST(with_numbers)
{
    struct class *c = class_make(200, TIERS);
    c->now[0] = (struct unit_now){UNIT_DONE, VERDICT_PASS};
    c->now[TIERS] = (struct unit_now){UNIT_DONE, VERDICT_CRASH};
    c->now[(size_t)2 * TIERS] = (struct unit_now){.stage = UNIT_TIMED};
    c->now[1] = (struct unit_now){UNIT_DONE, VERDICT_MISSING};
    c->now[2] = (struct unit_now){.stage = UNIT_EARLIER};
    c->now[3] = (struct unit_now){.stage = UNIT_QUEUED};
    assert_picture(c, 79, 22,
                   "naive       2 of 200 done: 1 pass, 1 fail, 1 timing\n"
                   "locality    1 of 200 done: 1 missing\n"
                   "simd        1 of 200 done\n"
                   "openmp      0 of 200 done, 1 queued\n"
                   "mpi         0 of 200 done\n"
                   "cuda        0 of 200 done\n"
                   "openacc     0 of 200 done\n");
    assert_picture(c, 79, 6, ""); /* no room at all */
    class_free(c);
}

static void assert_fits(const struct class *c, int columns, int lines)
{
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    int count = 0;
    unit_grid_draw(&c->grid, stdout, columns, lines, &out);
    for (const char *p = out.s; *p; p = strchr(p, '\n') + 1, count++)
        if ((int)strcspn(p, "\n") > columns)
            fail_msg("%u units in %d x %d: %s", c->plan.units_count, columns, lines, p);
    if (count > (lines < 0 ? 0 : lines))
        fail_msg("%u units in %d x %d: %d lines", c->plan.units_count, columns, lines, count);
}

/* Every class on every terminal: no line is too long, and there are not too many. */
TEST(it_always_fits)
{
    static const unsigned sizes[] = {0, 1, 2, 7, 22, 23, 60, 100, 200};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        for (unsigned tiers = 1; tiers <= TIERS; tiers += 3) {
            struct class *c = class_make(sizes[k], tiers);
            for (unsigned i = 0; i < c->plan.units_count; i++)
                c->now[i] = i % 2 ? (struct unit_now){UNIT_DONE, (enum verdict)(i % VERDICT_COUNT)}
                                  : (struct unit_now){.stage = (enum unit_stage)(i % UNIT_DONE)};
            for (int columns = -1; columns < 160; columns += 8)
                for (int lines = -2; lines < 60; lines += 5)
                    assert_fits(c, columns, lines);
            class_free(c);
        }
}

static int without_color(void **arg)
{
    term_set_color(TERM_COLOR_NEVER);
    return 0;
}

TESTS(without_color, NULL)
