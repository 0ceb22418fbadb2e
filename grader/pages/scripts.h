/* scripts.h - what gnuplot draws for pages, besides the roofline (report/roofline.h). */
#ifndef PAGES_SCRIPTS_H
#define PAGES_SCRIPTS_H

#include "pages/find.h"

enum { WORKERS_MOST = 64 };

/* Append the script. False: there is nothing to draw. */

/* The speed-ups of a submission's tiers at one size, beside those of the reference. */
bool script_ladder(const struct source *s, unsigned submission, struct strbuf *script);
/* The same of all submissions: a point for each. */
bool script_class_ladder(const struct source *s, struct strbuf *script);
/* Speed-ups over one worker, and the ideal line. */
bool script_scaling(const struct source *s, unsigned submission, struct strbuf *script);

#endif
