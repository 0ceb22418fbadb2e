/*
 * cause.h - why a case fails, as far as trials can tell: a race, threads that nobody waits for,
 * memory that was never set, or something that is kept from call to call. These look alike in a
 * single run, and need different corrections. For people: no verdict and no points depend on it.
 *
 * A pure strategy over an oracle, which runs the failed case in a new process under chosen
 * conditions. A cause is only named if changing its condition changes the result every time.
 */
#ifndef MODEL_CAUSE_H
#define MODEL_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"

enum cause {
#define CAUSE(identifier, name, sentence) CAUSE_##identifier,
#include "model/cause.def"
#undef CAUSE
    CAUSE_COUNT
};

const char *cause_name(enum cause c);
/* What a student reads, one sentence or two without the last full stop; "" for CAUSE_NONE. */
const char *cause_sentence(enum cause c);
bool cause_parse(const char *name, enum cause *c);

/* What malloc() returns. */
enum memory_fill {
    FILL_NONE,  /* whatever the memory held */
    FILL_ZEROS, /* every byte is 0 */
    FILL_OTHERS /* every byte has the same other value, which is large as a number of any type */
};

/* The failed case in a new process, with the values that failed. */
struct cause_trial {
    int runs; /* one by one, with the same values */
    enum memory_fill fill;
    enum poison poison; /* of the output */
    bool before;        /* after the cases before it, as it was when it failed */
    bool one_worker;    /* with one rank of one thread */
    bool zeros_around;  /* the bytes around the inputs are 0, else others */
    bool tasks_at_once; /* tasks of OpenMP run where they are created */
    bool late_threads;  /* new threads begin late */
    bool largest;       /* the largest correctness case of the tier in its place */
    bool calls;         /* ranks note their calls of MPI, with one name in place of another: */
    unsigned instead_of, instead; /* enum pg_name */
};

struct cause_seen {
    bool known;       /* the trial could be made */
    int wrong;        /* runs that failed; a process that dies fails in all that are left */
    bool first_wrong; /* the first one did */
    uint64_t output;  /* tells different wrong outputs apart: of the first wrong run; 0: it died */
    bool steady;      /* wrong runs had an output, and all of them the same */
    bool changed;     /* the output changed after the function had returned */
};

struct cause_question {
    bool unsteady; /* the same values gave different results in one process */
    bool threads;  /* the tier may start threads */
    bool nan;      /* a wrong element is NaN */
    bool heap;     /* malloc() ended the process: most of what trials show is chance */
    int workers;   /* ranks x threads */
    struct {
        void (*ask)(void *with, const struct cause_trial *t, struct cause_seen *seen);
        void *with;
    } oracle;
};

enum cause cause_find(const struct cause_question *q);

/* Is the result of a program with tasks right if each of them runs where it is created, and wrong
 * otherwise? */
bool cause_is_of_tasks(const struct cause_question *q);

#endif
