#include "measure/exercise_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/strbuf.h"
#include "base/term.h"

const char *exercise_check_name(enum exercise_check c)
{
    static const char *const names[EXERCISE_CHECKS] = {
        [EXERCISE_VALUES] = "values",     [EXERCISE_RUNS] = "runs",
        [EXERCISE_EXAMPLES] = "examples", [EXERCISE_SECOND] = "second",
        [EXERCISE_MISTAKES] = "mistakes", [EXERCISE_CHECK] = "check",
        [EXERCISE_REPEATS] = "repeats",   [EXERCISE_WRITES] = "writes",
        [EXERCISE_MEMORY] = "memory",     [EXERCISE_EXACT] = "exact",
        [EXERCISE_TIMED] = "timed",       [EXERCISE_DIGITS] = "digits",
        [EXERCISE_FINITE] = "finite",     [EXERCISE_NOTHING] = "nothing",
        [EXERCISE_INPUTS] = "inputs",
    };
    return names[c];
}

const char *exercise_state_name(enum exercise_state s)
{
    static const char *const names[] = {"ok", "note", "wrong"};
    return names[s];
}

void exercise_report_add(struct exercise_report *r, enum exercise_check c, enum exercise_state s,
                         const char *fmt, ...)
{
    char *text;
    va_list ap;
    va_start(ap, fmt);
    if (vasprintf(&text, fmt, ap) < 0)
        abort();
    va_end(ap);
    r->row = xrealloc_array(r->row, r->rows + 1, sizeof *r->row);
    r->row[r->rows] = (struct exercise_row){c, s, text};
    /* A row is a line, and what a program has printed is in some. */
    term_make_printable(r->row[r->rows].text);
    for (char *at = r->row[r->rows].text; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    r->rows++;
}

void exercise_report_sort(struct exercise_report *r)
{
    for (size_t i = 1; i < r->rows; i++) {
        const struct exercise_row x = r->row[i];
        size_t k = i;
        for (; k > 0 && r->row[k - 1].check > x.check; k--)
            r->row[k] = r->row[k - 1];
        r->row[k] = x;
    }
}

void exercise_report_free(struct exercise_report *r)
{
    for (size_t i = 0; i < r->rows; i++)
        free(r->row[i].text);
    free(r->row);
    *r = (struct exercise_report){0};
}
