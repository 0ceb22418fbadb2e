/*
 * made_up_class.h - a class with made-up results in one tier, for tests of pages: the reference and
 * CLASS_MOST students. Include it after "unit.h".
 */
#ifndef TESTS_UNIT_MADE_UP_CLASS_H
#define TESTS_UNIT_MADE_UP_CLASS_H

#include <string.h>

#include "pages/find.h"

enum { CLASS_MOST = 12 };

static struct tier class_tier = {
    .name = (char[]){"simd"}, .title = (char[]){"<SIMD>"}, .kernel = &kernel_gemm_i32};
static struct assignment class_assignment = {.kernel = &kernel_gemm_i32,
                                             .title = (char[]){"Products"},
                                             .baseline = (char[]){"naive"},
                                             .tiers = &class_tier,
                                             .tiers_count = 1};
static char class_id[CLASS_MOST + 1][16];
static struct submission class_submission[CLASS_MOST + 1]; /* the first one is the reference */
static struct unit class_unit[CLASS_MOST + 1];
static struct test_case class_case = {.kind = CASE_PERFORMANCE, .shape = {.dim = {64, 64, 64}}};
static struct plan class_plan;
static struct run class_run;
static struct unit_result class_result[CLASS_MOST + 1], *class_results[CLASS_MOST + 1];
static struct results class_all;
static struct speed class_speed[CLASS_MOST + 1];
static struct unit_score class_unit_score[CLASS_MOST + 1];
static struct submission_score class_score[CLASS_MOST + 1];
static struct scoreboard class_board;

/* `students` submissions student1 ... that passed, student i with a speed-up of i and with 10 of 10
 * points. The reference has a speed-up of 20. Tests change what they like. */
static inline struct source class_make(unsigned students)
{
    memset(class_speed, 0, sizeof class_speed);
    memset(class_score, 0, sizeof class_score);
    memset(class_unit_score, 0, sizeof class_unit_score);
    for (unsigned i = 0; i <= students; i++) {
        const double speedup = i ? i : 20;
        snprintf(class_id[i], sizeof class_id[i], i ? "student%u" : "reference", i);
        class_submission[i] =
            (struct submission){.id = class_id[i], .name = class_id[i], .is_reference = !i};
        class_unit[i] = (struct unit){.submission = (int)i, .tier = 0};
        class_result[i] = (struct unit_result){.verdict = VERDICT_PASS};
        class_results[i] = &class_result[i];
        class_speed[i] =
            (struct speed){.unit = (int)i,
                           .shape = class_case.shape,
                           .launch = {1, 1},
                           .graded = true,
                           .seconds = {1 / speedup, 1 / speedup, 1 / speedup, 9, false},
                           .speedup = {speedup, speedup, speedup, 9, false}};
        class_score[i] = (struct submission_score){.points = 10, .max_points = 10};
    }
    class_plan = (struct plan){.submissions = class_submission,
                               .submissions_count = students + 1,
                               .units = class_unit,
                               .units_count = students + 1};
    class_run = (struct run){.assignment = &class_assignment,
                             .plan = &class_plan,
                             .cases = {.item = &class_case, .count = 1}};
    class_all = (struct results){.unit = class_results, .unit_count = students + 1};
    class_board = (struct scoreboard){.speed = class_speed,
                                      .speed_count = students + 1,
                                      .unit = class_unit_score,
                                      .submission = class_score};
    return (struct source){.run = &class_run, .results = &class_all, .board = &class_board};
}

#endif
