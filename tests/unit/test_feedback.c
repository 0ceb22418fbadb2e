/* The sentences of a student's report. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/feedback.h"

static void points(void **arg)
{
    (void)arg;
    static const struct {
        struct unit_score score;
        bool part;
        const char *text;
    } table[] = {
        {{.max_points = 10}, false, "(does not count)"},
        {{.max_points = 10}, true, ""},
        {{.max_points = 10, .not_gradable = "no record"},
         false,
         "(its times cannot be graded: no record; no points are lost)"},
        {{.correct_points = 6, .points = 6, .max_points = 10, .counted = true},
         false,
         "6.0 of 10 points"},
        /* a late penalty, and points that a person gave */
        {{.correct_points = 6, .speed_points = 2, .points = 4, .max_points = 10, .counted = true},
         false,
         "4.0 of 10 points"},
        {{.points = 1, .max_points = 1, .counted = true, .not_gradable = "no record"},
         false,
         "1.0 of 1 point"},
        {{.points = 2.5, .max_points = 2.5, .counted = true}, false, "2.5 of 2.5 points"},
        {{.points = 1.5, .max_points = 1.5, .counted = true}, false, "1.5 of 1.5 points"},
        {{.points = 2.25, .max_points = 2.25, .counted = true}, false, "2.25 of 2.25 points"},
        {{.points = 2, .max_points = 2.25, .counted = true}, false, "2.00 of 2.25 points"},
        {{.points = 8.33, .max_points = 10, .counted = true}, false, "8.3 of 10 points"},
        {{.points = 0.3, .max_points = 0.1 + 0.2, .counted = true}, false, "0.3 of 0.3 points"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct subset only = {.untimed = table[i].part};
        char *text = feedback_points(&table[i].score, &only);
        assert_string_equal(text, table[i].text);
        free(text);
    }
}

static struct curve_point from_2[] = {{2, 0}, {12, 0.5}, {40, 1}},
                          flat[] = {{1, 0}, {5, 0.5}, {9, 0.5}, {20, 1}},
                          low[] = {{0, 0.5}, {1, 1}};

static void next_points(void **arg)
{
    (void)arg;
    static const struct {
        struct speed_rule rule[2];
        double speedup;
        const char *text;
    } table[] = {
        /* the first threshold above gives no points */
        {{{.points = 10, .curve = from_2, .curve_count = 3}}, 1.06, "speedup 12.0: +5.0 points"},
        {{{.points = 10, .curve = from_2, .curve_count = 3}}, 7, "speedup 12.0: +2.5 points"},
        {{{.points = 10, .curve = from_2, .curve_count = 3}}, 12, "speedup 40.0: +5.0 points"},
        {{{.points = 10, .curve = from_2, .curve_count = 3}}, 40, ""},
        {{{.points = 10, .curve = flat, .curve_count = 4}}, 6, "speedup 20.0: +5.0 points"},
        /* so few that they would be printed as 0.0 */
        {{{.points = 10, .curve = from_2, .curve_count = 3}}, 11.95, "speedup 40.0: +5.0 points"},
        {{{.points = 0.04, .curve = from_2, .curve_count = 3}}, 1, ""},
        /* the next rule */
        {{{.points = 10, .curve = low, .curve_count = 2},
          {.points = 8, .curve = from_2, .curve_count = 3}},
         1.5,
         "speedup 12.0: +4.0 points"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct speed_rule rule[2] = {table[i].rule[0], table[i].rule[1]};
        rule[0].every_size = rule[1].every_size = true;
        const struct tier t = {
            .points = {.metric = METRIC_SPEEDUP, .speed = rule, .speed_count = 2}};
        const double v = table[i].speedup;
        const struct speed s = {.graded = true, .speedup = {v, v, v, 9}};
        char *text = feedback_next(&t, &s);
        if (strcmp(text, table[i].text) != 0)
            fail_msg("row %zu: '%s'", i, text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points),
        cmocka_unit_test(next_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
