/* exercise_mistakes.c - does a source that makes a usual mistake give wrong results? Only then can
 * its words be said of a student's. */
#include "base/plural.h"
#include "measure/exercise_look.h"

void exercise_look_mistakes(struct exercise_look *l)
{
    struct exercise *x = l->x;
    for (int i = 0; i < x->file->mistakes; i++) {
        const enum exercise_program p = (enum exercise_program)(PROGRAM_MISTAKE + i);
        struct outcome o;
        struct mismatch m;
        if (!x->program[p].library || x->program[p].late)
            continue;
        l->tally[EXERCISE_MISTAKES].cases++;
        if (exercise_run(x, p, l->poison, PG_NEAREST, &o) != 0)
            exercise_end(x, p);
        else if (!exercise_look_accepts(l, arena_output(&x->arena, 0), &m, NULL))
            l->mistaken[i]++;
    }
}

void exercise_report_mistakes(struct exercise_look *l)
{
    const struct kernel_file *f = l->x->file;
    int shown = 0, built = 0;
    for (int i = 0; i < f->mistakes; i++) {
        if (!l->x->program[PROGRAM_MISTAKE + i].library)
            continue;
        built++;
        if (l->mistaken[i])
            shown++;
        else
            exercise_report_add(&l->x->report, EXERCISE_MISTAKES, EXERCISE_WRONG,
                                "%s gives a wrong result in no case: its words would never be said",
                                f->mistake[i].source);
    }
    if (built && shown == built)
        exercise_report_add(&l->x->report, EXERCISE_MISTAKES, EXERCISE_OK,
                            "%d %s wrong results, as meant", shown,
                            plural((size_t)shown, "mistake gives", "mistakes give"));
}
