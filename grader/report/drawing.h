/*
 * drawing.h - pictures by gnuplot: what all scripts share, and the process that draws them.
 */
#ifndef REPORT_DRAWING_H
#define REPORT_DRAWING_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Colours that people with any kind of colour vision can tell apart (Okabe and Ito), "#0072B2", and
 * gnuplot's numbers of filled marks. Series with the same colour have different marks. */
enum { DRAWING_COLOURS = 7 };
const char *drawing_colour(unsigned series);
int drawing_mark(unsigned series);

/* Text in quotes, in which gnuplot replaces nothing. */
void drawing_add_quoted(struct strbuf *script, const char *text);

/* The numbers at a logarithmic axis, "x" or "y", between two limits: 1, 2, 5, 10 ..., or powers of
 * 10 where it is long. */
void drawing_add_steps(struct strbuf *script, const char *axis, double low, double high);

/* The text for a reader who has no gnuplot. */
#define DRAWING_MISSING "needs gnuplot: install the package gnuplot-nox"

/* Give a script to gnuplot, and take what it writes: at most `most` bytes of SVG. 0, or -1 with the
 * reason, for example that gnuplot is missing. The caller frees *svg in both cases. */
int drawing_run(const char *script, size_t most, struct strbuf *svg, struct err *e);

#endif
