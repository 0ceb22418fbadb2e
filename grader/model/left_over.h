/* left_over.h - of which width are the sizes no multiple that fail? One case often fits several. */
#ifndef MODEL_LEFT_OVER_H
#define MODEL_LEFT_OVER_H

#include <stdbool.h>
#include <stddef.h>

struct tried_size {
    int size;
    bool failed;
};

/* The width for which every size that failed leaves a rest, and every other one does not. If there
 * is none, or where every size fails: `said`, if at least every size that failed leaves a rest of
 * it; else 0. Pure. */
int left_over_width(const struct tried_size *tried, size_t n, int said);

/* The same where nothing was said yet: 0 if none fits, or if too few different sizes failed, or
 * passed, to say so. The number of workers is tried first. Pure. */
int left_over_exact(const struct tried_size *tried, size_t n, int workers);

#endif
