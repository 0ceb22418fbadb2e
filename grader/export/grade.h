/* grade.h - the number that a student gets in a gradebook. */
#ifndef EXPORT_GRADE_H
#define EXPORT_GRADE_H

#include "export/export.h"

/* out_of: the grade is in proportion to this maximum; 0: the points. A total that a person has set
 * counts even if no tier does; then the maximum is that of all tiers. 0 with *grade; 1: there is no
 * grade, because no tier counts; -1 with e. */
int grade_of(const struct graded_run *run, unsigned submission, double out_of, double *grade,
             struct err *e);

#endif
