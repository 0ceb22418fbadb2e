/*
 * own_check.h - how students see a failed case again who have a page and not the run: with a check
 * of their own, in the directory of their sources. The caller frees each string.
 */
#ifndef REPORT_OWN_CHECK_H
#define REPORT_OWN_CHECK_H

#include "rundir/results.h"

/* "paragrade check -t simd --case 6": checks the case. Where the seed of the run is a secret, the
 * whole tier, with cases of the same kind. */
char *own_check(const struct run *r, unsigned unit, const struct case_result *c);
/* After that check, "paragrade replay --export case6 simd 6": writes the case as a small program.
 */
char *own_check_export(const struct run *r, unsigned unit, const struct case_result *c);

#endif
