/* The instructor's own gradebook, with one column filled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "export/export.h"
#include "export/grade.h"
#include "gradebook/gradebook.h"
#include "gradebook/match.h"

/* --- which column ------------------------------------------------------------------------------
 */

/* Canvas writes the number of the assignment behind its name: "Product (4711)". */
static bool is_canvas_assignment(const char *heading)
{
    const size_t n = strlen(heading);
    size_t digits = 0;
    if (n < 4 || heading[n - 1] != ')')
        return false;
    while (digits < n - 1 && strchr("0123456789", heading[n - 2 - digits]))
        digits++;
    return digits && digits + 2 < n && heading[n - 2 - digits] == '(';
}

static int only_canvas_assignment(const struct gradebook *g)
{
    int only = -1;
    for (size_t i = 0; i < g->row[0].fields; i++)
        if (is_canvas_assignment(g->row[0].field[i].value))
            only = only == -1 ? (int)i : -2;
    return only;
}

static int find_column(const struct gradebook *g, const struct gradebook_request *q, struct err *e)
{
    const int found = q->column                     ? gradebook_column(g, q->column)
                      : q->kind == GRADEBOOK_CANVAS ? only_canvas_assignment(g)
                                                    : gradebook_column(g, "Grade");
    if (found >= 0)
        return found;
    OWNED char *all = gradebook_headings(g);
    if (q->column)
        err_input(e, "%s:1: %s '%s'; the columns are: %s", q->from,
                  found == -2 ? "several columns begin with" : "there is no column", q->column,
                  all);
    else
        err_input(e, "%s:1: say with --column which column gets the grades; the columns are: %s",
                  q->from, all);
    return -1;
}

/* --- numbers ---------------------------------------------------------------------------------- */

/* "100", "12.5" or "12,50"; NAN: it is no number. *comma: it has a decimal comma. */
static double number_of(const char *text, bool *comma)
{
    char *end, *dotted = xreplace(text, ",", ".");
    const double v = strtod(dotted, &end);
    const bool whole = *dotted && !*end && !strpbrk(dotted, "xXnN");
    if (whole && strchr(text, ','))
        *comma = true;
    free(dotted);
    return whole ? v : (double)NAN;
}

/* The maximum that the file gives for the column, or 0: Moodle in a column of its own, Canvas in
 * the row "Points Possible". */
static double maximum_of(const struct gradebook *g, enum gradebook_kind kind, int column,
                         bool *comma)
{
    const int own = gradebook_column(g, "Maximum Grade");
    double most = NAN;
    for (size_t i = 1; i < g->rows && isnan(most); i++) {
        if (kind == GRADEBOOK_MOODLE && own >= 0)
            most = number_of(gradebook_value(g, i, (size_t)own), comma);
        else if (kind == GRADEBOOK_CANVAS &&
                 strcmp(gradebook_value(g, i, 0), "Points Possible") == 0)
            most = number_of(gradebook_value(g, i, (size_t)column), comma);
    }
    return isnan(most) ? 0 : most;
}

/* Does any number in the column have a decimal comma? */
static bool has_comma(const struct gradebook *g, int column)
{
    bool comma = false;
    for (size_t i = 1; i < g->rows; i++)
        (void)number_of(gradebook_value(g, i, (size_t)column), &comma);
    return comma;
}

static char *grade_text(double v, bool comma)
{
    char *text = xasprintf("%.2f", fabs(v) < 0.005 ? 0 : v), *dot = strchr(text, '.');
    if (dot && comma)
        *dot = ',';
    return text;
}

/* --- students --------------------------------------------------------------------------------- */

/* The table for match.h: the columns of the roster, then id and name. Its strings belong to the
 * run. */
static struct known_students known(const struct plan *p, unsigned *index, const char ***column,
                                   const char ***field)
{
    const size_t columns = p->roster_columns_count + 2;
    struct known_students k = {.columns = columns};
    *column = xcalloc(columns, sizeof **column);
    *field = xcalloc((p->submissions_count + 1) * columns, sizeof **field);
    for (unsigned c = 0; c < p->roster_columns_count; c++)
        (*column)[c] = p->roster_columns[c];
    (*column)[columns - 2] = "submission";
    (*column)[columns - 1] = "name";
    for (unsigned i = 0; i < p->submissions_count; i++) {
        const struct submission *s = &p->submissions[i];
        if (s->is_reference)
            continue;
        const char **row = *field + k.students * columns;
        for (unsigned c = 0; c < p->roster_columns_count; c++)
            row[c] = s->roster_fields ? s->roster_fields[c] : "";
        row[columns - 2] = s->id;
        row[columns - 1] = s->name;
        index[k.students++] = i;
    }
    k.column = *column;
    k.field = *field;
    return k;
}

/* Rows that are not students: the maxima of Canvas, its mark of muted assignments, and the student
 * that it adds to each course. */
static bool is_student_row(const struct gradebook *g, size_t row, size_t key)
{
    const char *first = gradebook_value(g, row, 0);
    return strcmp(first, "Points Possible") != 0 && strcmp(first, "Student, Test") != 0 &&
           *gradebook_value(g, row, key);
}

/* Has the student a tier that would give points, but does not count? */
static bool lacks_points(const struct graded_run *run, unsigned submission)
{
    const struct unit_range of = plan_units_of(run->run->plan, (int)submission);
    for (unsigned u = of.first; u < of.end; u++)
        if (!run->board->unit[u].counted && run->board->unit[u].max_points > 0)
            return true;
    return false;
}

static void add_line(struct strbuf *list, size_t *count, const char *text)
{
    json_auto_t *safe = json_printable(text);
    strbuf_addf(list, "%s\n", json_string_value(safe));
    (*count)++;
}

/* Fill the field of a row. */
static void fill_row(struct gradebook *g, size_t row, size_t column, double grade, bool comma,
                     struct gradebook_outcome *out)
{
    OWNED char *text = grade_text(grade, comma);
    const char *before = gradebook_value(g, row, column);
    bool ignored;
    const double old = number_of(before, &ignored), now = number_of(text, &ignored);
    out->replaced += fabs(old - now) >= 0.005; /* false if there was none */
    out->filled++;
    gradebook_fill(g, row, column, text);
}

/* Has a person written a word, such as Canvas's EX for an excused student? Moodle's - and
 * Blackboard's Needs Grading(12.00) are none. */
static bool is_remark(const char *value)
{
    static const char ungraded[] = "Needs Grading";
    bool ignored;
    return *value && strcmp(value, "-") != 0 &&
           strncmp(value, ungraded, sizeof ungraded - 1) != 0 && isnan(number_of(value, &ignored));
}

static int fill(const struct graded_run *run, const struct gradebook_request *q,
                struct gradebook *g, const struct match *m, const unsigned *index, int column,
                struct gradebook_outcome *out, struct err *e)
{
    bool comma = has_comma(g, column);
    out->maximum = maximum_of(g, q->kind, column, &comma);
    for (size_t i = 1; i < g->rows; i++) {
        if (m->student_of_row[i] < 0)
            continue;
        const unsigned submission = index[m->student_of_row[i]];
        const struct submission_score *s = &run->board->submission[submission];
        const char *before = gradebook_value(g, i, (size_t)column);
        double grade = 0;
        if (is_remark(before)) {
            OWNED char *line =
                xasprintf("%s: %s", run->run->plan->submissions[submission].id, before);
            add_line(&out->remarked, &out->remarked_count, line);
            continue;
        }
        const int rc = grade_of(run, submission, q->out_of, &grade, e);
        if (rc < 0)
            return rc;
        if (rc == 1) {
            add_line(&out->ungraded, &out->ungraded_count,
                     run->run->plan->submissions[submission].id);
            continue;
        }
        out->uncounted += lacks_points(run, submission);
        out->points_most = fmax(out->points_most, s->max_points);
        fill_row(g, i, (size_t)column, grade, comma, out);
    }
    return 0;
}

static void list_missing(const struct plan *p, const struct gradebook *g, const struct match *m,
                         const unsigned *index, size_t students, struct gradebook_outcome *out)
{
    OWNED bool *found = xcalloc(students + 1, sizeof *found);
    for (size_t i = 1; i < g->rows; i++) {
        if (m->student_of_row[i] >= 0)
            found[m->student_of_row[i]] = true;
        else if (is_student_row(g, i, (size_t)m->key[0].gradebook_column))
            add_line(&out->not_in_run, &out->not_in_run_count,
                     gradebook_value(g, i, (size_t)m->key[0].gradebook_column));
    }
    for (size_t s = 0; s < students; s++)
        if (!found[s])
            add_line(&out->not_in_gradebook, &out->not_in_gradebook_count,
                     p->submissions[index[s]].id);
}

static char *key_text(const struct gradebook *g, const struct known_students *k,
                      struct match_key key)
{
    return xasprintf("'%s' = '%s'", g->row[0].field[key.gradebook_column].value,
                     k->column[key.known_column]);
}

static int refuse_conflict(const struct plan *p, const struct gradebook_request *q,
                           const struct gradebook *g, const struct known_students *k,
                           const struct match_conflict *c, const unsigned *index, struct err *e)
{
    OWNED char *one = key_text(g, k, c->key[0]), *other = key_text(g, k, c->key[1]);
    err_input(e,
              "%s:%zu: by %s, this row is %s; but by %s, it is %s. Correct the one that is wrong, "
              "in the gradebook or in the roster",
              q->from, g->row[c->row].line, one, p->submissions[index[c->student[0]]].id, other,
              p->submissions[index[c->student[1]]].id);
    return -1;
}

/* The first key, then each other one with the students whom it found. */
static void describe_keys(const struct plan *p, const struct gradebook *g,
                          const struct known_students *k, const struct match *m,
                          const unsigned *index, struct strbuf *out)
{
    for (size_t key = 0; key < m->keys; key++) {
        OWNED char *text = key_text(g, k, m->key[key]);
        strbuf_addf(out, "%s%s", key ? "\nand by " : "", text);
        const char *before = ": ";
        for (size_t i = 1; i < g->rows && key; i++)
            if (m->student_of_row[i] >= 0 && m->key_of_row[i] == key) {
                strbuf_addf(out, "%s%s", before, p->submissions[index[m->student_of_row[i]]].id);
                before = ", ";
            }
    }
}

static int fill_matched(const struct graded_run *run, const struct gradebook_request *q,
                        struct gradebook *g, int column, struct gradebook_outcome *out,
                        struct err *e)
{
    const struct plan *p = run->run->plan;
    OWNED unsigned *index = xcalloc(p->submissions_count + 1, sizeof *index);
    const char **headings_known, **field;
    FREED_BY(match_free) struct match m = {0};
    const struct known_students k = known(p, index, &headings_known, &field);
    int rc = match_students(g, &k, column, &m);
    if (rc != 0) {
        refuse_conflict(p, q, g, &k, &m.conflict, index, e);
    } else if (m.keys == 0) {
        rc = err_input(
            e,
            "%s: none of its rows is a student of the run; no column has the ids, e-mail "
            "addresses or names that the run knows. Grade with a roster that has a column "
            "of the gradebook",
            q->from);
    } else {
        out->column = xstrdup(g->row[0].field[column].value);
        describe_keys(p, g, &k, &m, index, &out->matched);
        rc = fill(run, q, g, &m, index, column, out, e);
        list_missing(p, g, &m, index, k.students, out);
    }
    free(headings_known);
    free(field);
    return rc;
}

int export_gradebook(const struct graded_run *run, const struct gradebook_request *q,
                     struct gradebook_outcome *out, struct err *e)
{
    FREED_BY(gradebook_free) struct gradebook g = {0};
    *out = (struct gradebook_outcome){.file = STRBUF_INIT,
                                      .matched = STRBUF_INIT,
                                      .not_in_run = STRBUF_INIT,
                                      .not_in_gradebook = STRBUF_INIT,
                                      .ungraded = STRBUF_INIT,
                                      .remarked = STRBUF_INIT};
    if (gradebook_read(q->from, &g, e) != 0)
        return -1;
    const int column = find_column(&g, q, e);
    int rc = column < 0 ? -1 : fill_matched(run, q, &g, column, out, e);
    if (rc == 0)
        rc = gradebook_text(&g, &out->file, e);
    return rc;
}

void gradebook_outcome_free(struct gradebook_outcome *o)
{
    free(o->column);
    strbuf_free(&o->file);
    strbuf_free(&o->matched);
    strbuf_free(&o->not_in_run);
    strbuf_free(&o->not_in_gradebook);
    strbuf_free(&o->ungraded);
    strbuf_free(&o->remarked);
}
