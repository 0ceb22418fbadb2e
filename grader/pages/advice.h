/* advice.h - what a student can try next, in words. */
#ifndef PAGES_ADVICE_H
#define PAGES_ADVICE_H

#include "pages/find.h"

/* After a verdict other than pass. */
const char *advice_failed(const struct unit_result *u);
/* After a pass: the next points, what bounds the tier and what to try; "" if nothing is known. The
 * caller frees it.
 */
char *advice_passed(const struct source *s, int unit);

#endif
