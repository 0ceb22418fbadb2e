/* left_over.h - of which width are the sizes no multiple that fail? One case often fits several. */
#ifndef MODEL_LEFT_OVER_H
#define MODEL_LEFT_OVER_H

#include <stdbool.h>
#include <stddef.h>

struct tried_size {
    int size;
    bool failed;
};

/* The width for which every size that failed leaves a rest, and every other one does not. `said` if
 * it fits, or if none does. Pure. */
int left_over_width(const struct tried_size *tried, size_t n, int said);

#endif
