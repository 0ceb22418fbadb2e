/*
 * checks.h - the check of an exercise that has many right answers: a C function of the instructor,
 * in a process of its own, which is confined as students' processes are. It gets a copy of what the
 * unit has written.
 *
 * It reads what students write, so it may crash or hang there. That is the student's fault if it
 * accepts the right answer of the same problem, and the exercise's if it does not.
 */
#ifndef MEASURE_CHECKS_H
#define MEASURE_CHECKS_H

#include "base/err.h"
#include "kernel/kernel.h"
#include "measure/helper_process.h"
#include "supervise/outcome.h"

struct checks {
    struct helper_process process; /* kernel: the checker */
    int64_t limit_ms;              /* of one question; 0: that of a case */
    unsigned unread;               /* results so far that it could not read */
};

/* Ask about x->got, a result of the kernel. 0 with *said, or -1 with *o: the trouble is the
 * exercise's. */
int checks_ask(struct checks *c, const struct comparison *x, struct opinion *said,
               struct outcome *o);
/* The same without a second question about the right answer: any failure is in *o. */
int checks_ask_once(struct checks *c, const struct comparison *x, const void *got,
                    struct opinion *said, struct outcome *o);
#endif
