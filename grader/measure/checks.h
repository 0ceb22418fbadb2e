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
#include "supervise/arena.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

struct checks {
    struct driver_process driver;
    struct driver_spec spec;     /* its strings are borrowed */
    const struct kernel *kernel; /* the checker; NULL: there is none */
    struct arena arena;          /* for one problem */
    struct shape shape;          /* that is laid out */
    bool ready;                  /* the driver has it */
    int64_t limit_ms;            /* of one question; 0: that of a case */
    unsigned unread;             /* results so far that it could not read */
};

/* Make room for these shapes. After a failure there is nothing to close. */
int checks_open(struct checks *c, const struct kernel *checker, const struct shape *shapes,
                size_t count, struct err *e);
/* Start the process. The specification says how; it has the library. */
int checks_start(struct checks *c, const struct driver_spec *spec, struct err *e);
/* Nothing happens where nothing was opened. */
void checks_close(struct checks *c);

/* Ask about x->got, a result of the kernel. 0 with *said, or -1 with *o: the trouble is the
 * exercise's. */
int checks_ask(struct checks *c, const struct comparison *x, struct opinion *said,
               struct outcome *o);
/* The same without a second question about the right answer: any failure is in *o. */
int checks_ask_once(struct checks *c, const struct comparison *x, const void *got,
                    struct opinion *said, struct outcome *o);
/* What went wrong then, for people: "it was killed by signal 11". */
const char *checks_why(const struct checks *c, const struct outcome *o, char *out, size_t cap);

#endif
