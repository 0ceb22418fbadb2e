/* A part of an assignment: what does not exist is refused with what does, the rest is left out. */
#include "base/strbuf.h"
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "model/assignment.h"
#include "model/cases.h"
#include "model/subset.h"

/* Two tiers, one of them with threads. A reduced assignment is changed, so each use makes its own.
 */
struct sample {
    int one[1], ranks[1], threads[2], stress[2];
    struct tier tiers[2];
    struct assignment a;
};

static struct shape sizes[] = {{.dim = {64, 64, 64}}, {.dim = {20, 30, 40}}};

static void make(struct sample *s)
{
    *s = (struct sample){.one = {1}, .ranks = {1}, .threads = {1, 4}, .stress = {3, 7}};
    s->tiers[0] = (struct tier){.name = (char[]){"plain"},
                                .kernel = &kernel_gemm_i32,
                                .ranks = s->ranks,
                                .ranks_count = 1,
                                .threads = s->one,
                                .threads_count = 1};
    s->tiers[1] = (struct tier){.name = (char[]){"threads"},
                                .kernel = &kernel_gemm_i32,
                                .ranks = s->ranks,
                                .ranks_count = 1,
                                .threads = s->threads,
                                .threads_count = 2};
    s->a = (struct assignment){.kernel = &kernel_gemm_i32,
                               .correctness = {.random = 5,
                                               .min_dim = 1,
                                               .max_dim = 30,
                                               .stress_threads = s->stress,
                                               .stress_threads_count = 2},
                               .performance = {.sizes = sizes, .sizes_count = 2},
                               .tiers = s->tiers,
                               .tiers_count = 2};
}

TEST(impossible)
{
    static const struct {
        struct subset only;
        const char *says;
    } rows[] = {
        {{.one_case = true, .case_index = 5},
         "--case: there is no correctness case 5; possible: 0 to 4"},
        {{.size = {65, 65, 65}}, "--size: no tier is timed at 65; possible: 64, 20x30x40"},
        {{.size = {20, 30, 41}}, "no tier is timed at 20x30x41"},
        {{.threads = 2}, "--threads: no tier runs with 2; possible: 1, 4, 3, 7"},
        {{.threads = 100000}, "no tier runs with 100000"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample s;
        struct err e = ERR_INIT;
        make(&s);
        assert_int_equal(subset_apply(&s.a, &rows[i].only, &e), -1);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, rows[i].says))
            fail_msg("row %zu says: %s", i, e.text);
    }
}

/* What is left of the second tier. */
TEST(left)
{
    static const struct {
        struct subset only;
        const char *text;
        unsigned correctness, sizes, launches, stress;
        bool first_idle;
    } rows[] = {
        {{0}, "", 5, 2, 2, 2, false},
        {{.one_case = true, .case_index = 0}, "case 0", 1, 2, 2, 2, false},
        {{.one_case = true, .case_index = 4}, "case 4", 1, 2, 2, 2, false},
        {{.size = {20, 30, 40}}, "size 20x30x40", 5, 1, 2, 2, false},
        {{.untimed = true}, "not timed", 5, 0, 2, 2, false},
        {{.threads = 1}, "1 thread", 5, 2, 1, 0, false},
        {{.threads = 4}, "4 threads", 5, 2, 1, 0, true},
        {{.threads = 7}, "7 threads", 5, 2, 1, 1, true},
        {{.one_case = true, .case_index = 2, .threads = 4, .untimed = true},
         "case 2, 4 threads, not timed",
         1,
         0,
         1,
         0,
         true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct sample s;
        struct err e = ERR_INIT;
        FREED_BY(case_list_free) struct case_list l = {0};
        unsigned correctness = 0, timed = 0;
        make(&s);
        assert_int_equal(subset_apply(&s.a, &rows[i].only, &e), 0);
        cases_make(&s.a, 1, &l);
        for (size_t k = 0; k < l.count; k++) {
            const bool applies = case_applies(&s.a, &s.tiers[1], &l.item[k]);
            assert_int_equal(l.item[k].index, k); /* numbers stay as they are */
            *(l.item[k].kind == CASE_PERFORMANCE ? &timed : &correctness) += applies;
        }
        OWNED char *text = subset_text(&s.a.only);
        assert_string_equal(text, rows[i].text);
        assert_int_equal(subset_is_part(&s.a.only), i > 0);
        assert_int_equal(correctness, rows[i].correctness);
        assert_int_equal(timed, rows[i].sizes);
        assert_int_equal(tier_launch_count(&s.tiers[1]), rows[i].launches);
        assert_int_equal(tier_stress_count(&s.a, &s.tiers[1]), rows[i].stress);
        assert_int_equal(s.tiers[0].idle, rows[i].first_idle);
    }
}

TESTS(NULL, NULL)
