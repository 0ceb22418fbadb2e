/*
 * dimension_hint.h - an index that uses one dimension where another one is needed: A[i * M + k] for
 * A[i * K + k]. Such a kernel is right exactly where the two are equal. Pure.
 */
#ifndef REPORT_DIMENSION_HINT_H
#define REPORT_DIMENSION_HINT_H

#include "rundir/results.h"

/* "sizes with M = K pass, and hardly any others: ...", if the cases of a unit say so
 * clearly enough; otherwise "". The caller frees it. */
char *dimension_hint(const struct run *r, const struct unit_result *u);

#endif
