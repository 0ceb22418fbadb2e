/* exercise_examples.h - does the trusted source give the results of the examples? */
#ifndef MEASURE_EXERCISE_EXAMPLES_H
#define MEASURE_EXERCISE_EXAMPLES_H

#include "measure/exercise.h"

/* The findings are in x->report. */
void exercise_check_examples(struct exercise *x);

#endif
