/*
 * cases.h - the test cases of an assignment: a pure function of (assignment, seed, tier, index).
 *
 * A case is a few numbers. The node generates the matrices from them.
 */
#ifndef MODEL_CASES_H
#define MODEL_CASES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "kernel/shape.h"
#include "kernel/values.h"
#include "model/assignment.h"

/* Each launch has so many numbers of values. The second half is for timed runs. */
enum { CASE_RUNS_PER_LAUNCH = 1000000 };

enum case_kind { CASE_EDGE, CASE_RANDOM, CASE_PERFORMANCE };

struct test_case {
    int index; /* position in the list, from 0; names the case everywhere */
    enum case_kind kind;
    struct shape shape;
    struct shape_rule rule; /* correctness cases: for the tiers with this rule */
    enum value_dist values;
    uint64_t seed; /* of the values; case_run_seed() */
    bool weak;     /* a performance case for weak scaling alone: weak.h */
};

struct case_list {
    struct test_case *item;
    size_t count;
};

/* The correctness cases (edges, then random) for each rule of shapes that a tier has, then the
 * performance cases: the union over all tiers' sizes, then sizes of weak scaling, in order of first
 * appearance. A tier runs the correctness cases of its rule and those performance cases whose shape
 * is among its sizes (case_applies()), less what the run leaves out (subset.h). `seed` is the run's
 * seed. */
void cases_make(const struct assignment *a, uint64_t seed, struct case_list *out);
void case_list_free(struct case_list *l);

/* A case that is none of the assignment's: the smallest one that fails, or one that somebody asks
 * for. Its first run is run 0 of its seed, under every launch. */
struct given_case {
    const char *size;   /* as kernel_shape() reads it */
    const char *values; /* NULL: the first kind of the kernel */
    uint64_t seed;
};

/* Add such a case for a tier. Returns its index, or -1 with the reason. */
int cases_add_given(struct case_list *l, const struct assignment *a, const struct tier *t,
                    const struct given_case *g, struct err *e);
bool case_applies(const struct assignment *a, const struct tier *t, const struct test_case *c);
/* Is a case timed under this launch? A size that grows is, under launches that it has grown for. */
bool case_is_timed(const struct assignment *a, const struct tier *t, const struct test_case *c,
                   struct launch l);

/* Is it one of the correctness cases of the tier? Each of them is checked under each launch and
 * each stress launch that tier_checks() says. */
bool case_is_checked(const struct assignment *a, const struct tier *t, const struct test_case *c);
/* How many checks that makes. */
unsigned cases_to_check(const struct case_list *l, const struct assignment *a,
                        const struct tier *t);

/* Number of the first run of each case under a launch of a tier: `launch` counts the tier's
 * launches, then its stress launches. No two launches see the same values. */
uint64_t case_first_run(unsigned launch);

/* Seed of the values in one run of a case. Two runs have different values throughout, so that a
 * remembered result is wrong. */
uint64_t case_run_seed(const struct test_case *c, uint64_t run);

/* The whole number that the kernel gets by value as input i in one run of a case. */
long long case_run_number(const struct kernel *k, const struct test_case *c, uint64_t run, int i);

const char *case_kind_name(enum case_kind k);

/* Whether a case is timed in any tier that has this yardstick. (Baseline and yardstick of the host
 * are not run at the sizes of a GPU: they would take too long.) */
bool case_timed_beside(const struct assignment *a, const char *yardstick,
                       const struct test_case *c);

#endif
