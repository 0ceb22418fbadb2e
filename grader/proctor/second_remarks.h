/*
 * second_remarks.h - what sanitizers have printed in runs of the second build, as remarks with the
 * line. Lines of an adapter are left out, since the student did not write them. A line has one
 * remark at most.
 */
#ifndef PROCTOR_SECOND_REMARKS_H
#define PROCTOR_SECOND_REMARKS_H

#include "build/sanitizer_report.h"
#include "build/source_line.h"
#include "model/source_name.h"
#include "proctor/unit_job.h"
#include "supervise/driver_process.h"

enum { SECOND_PLACE = SOURCE_NAME_MOST + 16 };

struct second_remarks {
    const struct unit_job *job;
    struct unit_result *r; /* receives them */
    const char *dir;       /* of the second build */
    const char *library;   /* what was built */
    enum verdict before;   /* of the unit's cases */
    unsigned index_errors; /* told so far */
};

/* "naive.c:12", or "" where it is not known. place: n addresses, see source_line_find(). */
void second_place(const struct second_remarks *k, const uint64_t *place, int n,
                  char out[SECOND_PLACE]);

/* Where the unit has crashed, this becomes the cause in its message. */
void second_remark_memory(const struct second_remarks *k, const struct memory_error *m);
/* In the output of a driver. */
void second_remark_indices(struct second_remarks *k, const char *output);
/* In the output of a driver in a case that is wrong: each line of the source reports the first time
 * only, so what happens in cases that are right is not among these. */
void second_remark_overflows(const struct second_remarks *k, struct driver_process *d);

#endif
