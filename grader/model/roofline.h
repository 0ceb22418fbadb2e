/*
 * roofline.h - the roofline model: what bounds a kernel, arithmetic or memory, and what to try
 * next. Pure. docs/studies.md explains it.
 */
#ifndef MODEL_ROOFLINE_H
#define MODEL_ROOFLINE_H

#include <stdbool.h>
#include <stddef.h>

enum bound { BOUND_UNKNOWN, BOUND_COMPUTE, BOUND_MEMORY };

/* One kernel at one size. What is unknown is NAN. */
struct roofline {
    double operations, bytes; /* of one call; bytes: each operand moved once */
    double intensity;         /* operations per byte */
    double gops;              /* reached: 10^9 operations/s */
    double peak;              /* of arithmetic: 10^9 operations/s */
    double bandwidth;         /* of memory: 10^9 bytes/s */
    double roof;              /* min(peak, intensity * bandwidth) */
    double fraction;          /* gops / roof */
    enum bound bound;         /* which of the two is the smaller one */
};

/* seconds: of one call. peak and bandwidth: NAN or not positive means unknown. */
struct roofline roofline_of(double operations, double bytes, double seconds, double peak,
                            double bandwidth);

/* "compute", "memory"; "" when it is unknown. */
const char *bound_name(enum bound b);

/* Where a kernel ran. */
struct roofline_place {
    bool device;       /* a GPU */
    int workers;       /* threads of all ranks; 1 for a GPU */
    double cache;      /* bytes of the caches; 0: unknown */
    double efficiency; /* speed-up over one worker, / workers; NAN: unknown */
    bool rough;        /* the time is too rough for a share of the roof */
};

enum { ROOFLINE_TEXT = 400 };

/* Say in one or two sentences what bounds the kernel at this size, and what to try next. "" when
 * the roof is unknown. */
void roofline_advice(const struct roofline *r, const struct roofline_place *p,
                     char out[ROOFLINE_TEXT]);

#endif
