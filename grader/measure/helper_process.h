/*
 * helper_process.h - a process for C code of the instructor that is not the trusted source: the
 * check of an exercise, or the function that makes values. It is confined as students' processes
 * are, has room for one problem, and is started anew after each failure.
 */
#ifndef MEASURE_HELPER_PROCESS_H
#define MEASURE_HELPER_PROCESS_H

#include "base/err.h"
#include "kernel/kernel.h"
#include "supervise/arena.h"
#include "supervise/driver_process.h"
#include "supervise/outcome.h"

struct helper_process {
    struct driver_process driver;
    struct driver_spec spec;     /* its strings are borrowed */
    const struct kernel *kernel; /* what it computes; NULL: there is none */
    struct arena arena;
    struct shape shape; /* that is laid out */
    bool ready;         /* the driver has it */
};

/* Make room for these shapes. After a failure there is nothing to close. */
int helper_open(struct helper_process *h, const struct kernel *kernel, const struct shape *shapes,
                size_t count, struct err *e);
/* Start the process. The specification says how; it has the library. what: for the message. */
int helper_start(struct helper_process *h, const struct driver_spec *spec, const char *what,
                 struct err *e);
/* Nothing happens where nothing was opened. */
void helper_close(struct helper_process *h);

/* Lay out a problem, in a process that runs. Trouble is in *o. */
void helper_lay_out(struct helper_process *h, struct shape s, struct outcome *o);
/* Compute it: the inputs, and what the outputs hold before, are in the arena. 0, or -1 with *o; the
 * process has ended then. */
int helper_run(struct helper_process *h, int64_t limit_ms, struct outcome *o);

/* What went wrong, for people: "it was killed by signal 11". */
const char *helper_why(const struct helper_process *h, const struct outcome *o, char *out,
                       size_t cap);
/* The same for a process that has no such frame around it. */
const char *helper_words(const struct kernel *kernel, const struct limits *limits,
                         const struct outcome *o, char *out, size_t cap);
/* Nobody loses points for it. Changes the kind and the text of *o: "WHOSE WHAT: WHY", and
 * the command that tries it. */
void helper_not_students(struct outcome *o, const char *whose, const char *what, const char *why);

#endif
