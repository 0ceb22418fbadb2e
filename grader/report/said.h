/* said.h - what a report has said already: advice is given once. */
#ifndef REPORT_SAID_H
#define REPORT_SAID_H

#include <stddef.h>

/* All zero: nothing. */
struct said {
    struct sentence {
        char *text;
        char *where; /* it stands: a tier */
    } * sentence;
    size_t count;
};

/* Of a text, the sentences that are new, which are kept, and "Next: as for SIMD." beside them in
 * place of a next step that is not. "" if none is new. s may be NULL: all of it. The caller frees
 * the string. */
char *said_new(struct said *s, const char *where, const char *text);
void said_free(struct said *s);

#endif
