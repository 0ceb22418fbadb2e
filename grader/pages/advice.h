/* advice.h - what a student can try next, in words. The caller frees each string. */
#ifndef PAGES_ADVICE_H
#define PAGES_ADVICE_H

#include "pages/find.h"

/* After a verdict other than pass. */
char *advice_failed(const struct source *s, const struct unit_result *u);
/* After a pass: the next points, what bounds the tier and what to try; "" if nothing is known. */
char *advice_passed(const struct source *s, int unit);

#endif
