/*
 * export.h - the grades of a run in the formats of other programs.
 */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H

#include "base/strbuf.h"
#include "report/score.h"
#include "rundir/results.h"

/* What every export is made from. */
struct graded_run {
    const struct run *run;
    const struct results *results;
    const struct scoreboard *board;
};

struct gradescope_outcome {
    struct strbuf ungraded; /* students without a tier that counts and without a set total */
    size_t ungraded_count;
};

/* DIR/ID/results.json for each student with a score, as an autograder of Gradescope writes it. The
 * caller frees out->ungraded, also after an error. */
int export_gradescope(const struct graded_run *g, const char *dir, struct gradescope_outcome *out,
                      struct err *e);
/* Add JUnit XML to a text: a test suite per student, a test case per tier. */
void export_junit(const struct graded_run *g, struct strbuf *out);
/* Add JSON Lines to a text: a line per unit, those of the reference too. */
int export_jsonl(const struct graded_run *g, struct strbuf *out, struct err *e);

enum gradebook_kind { GRADEBOOK_CANVAS, GRADEBOOK_MOODLE };

struct gradebook_request {
    enum gradebook_kind kind;
    const char *from;   /* file */
    const char *column; /* to be filled; NULL: find out */
    double out_of;      /* the grade is in proportion to this maximum; 0: points as they are */
};

struct gradebook_outcome {
    struct strbuf file;      /* what the file must hold now, in its encoding: any bytes */
    char *column;            /* heading of the column that was filled */
    struct strbuf matched;   /* by what: "'ID' = 'canvas_id'"; other keys with their students */
    size_t filled, replaced; /* fields; those that held another grade */
    struct strbuf not_in_run, not_in_gradebook; /* students, one a line */
    struct strbuf ungraded; /* students without a tier that counts and without a set total */
    struct strbuf remarked; /* students with a word in the place of a grade; it stays */
    size_t not_in_run_count, not_in_gradebook_count, ungraded_count, remarked_count;
    double maximum,
        points_most;  /* of the column, as the file says, or 0; of the run, the largest */
    size_t uncounted; /* students with a grade and with tiers that do not count */
};

/* Read the gradebook `from` and fill one of its columns. The caller frees *out with
 * gradebook_outcome_free(), also after an error. */
int export_gradebook(const struct graded_run *g, const struct gradebook_request *q,
                     struct gradebook_outcome *out, struct err *e);
void gradebook_outcome_free(struct gradebook_outcome *o);

#endif
