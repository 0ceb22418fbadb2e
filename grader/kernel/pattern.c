/*
 * The wrong elements are reduced to a few facts: how many there are in each row and column, whether
 * they still hold the poison, whether they are the expected value plus the poison, whether the
 * matrix is transposed. Then the most specific statement that is true for all of them is chosen.
 */
#include "kernel/pattern.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/pattern_workers.h"

/* How far from the border; 1: at it. */
static int depth_of(const struct facts *f, int i, int j)
{
    const int row = i < f->rows - 1 - i ? i : f->rows - 1 - i;
    const int col = j < f->cols - 1 - j ? j : f->cols - 1 - j;
    return 1 + (row < col ? row : col);
}

static void gather(const struct wrong_elements *w, struct facts *f, struct mismatch *m)
{
    f->first_row = f->first_col = -1;
    for (int i = 0; i < f->rows; i++) {
        for (int j = 0; j < f->cols; j++) {
            const unsigned char x = w->facts[(size_t)i * (size_t)f->cols + (size_t)j];
            f->all_zero += (x & ELEMENT_ZERO) != 0;
            f->all_untouched += (x & ELEMENT_UNTOUCHED) != 0;
            if (!(x & ELEMENT_WRONG))
                continue;
            if (!f->wrong) {
                m->row = i;
                m->col = j;
            }
            f->wrong++;
            f->untouched += (x & ELEMENT_UNTOUCHED) != 0;
            f->int_min += (x & ELEMENT_INT_MIN) != 0;
            f->zero += (x & ELEMENT_ZERO) != 0;
            f->rounded += (x & ELEMENT_ROUNDED) != 0;
            f->added_to += (x & ELEMENT_ADDED_TO) != 0;
            f->nan += (x & ELEMENT_NAN) != 0;
            f->above += j > i;
            f->below += j < i;
            const int depth = depth_of(f, i, j);
            f->depth = depth > f->depth ? depth : f->depth;
            f->per_row[i]++;
            f->per_col[j]++;
        }
    }
    for (int i = 0; i < f->rows; i++) {
        if (!f->per_row[i])
            continue;
        f->bad_rows++;
        f->last_row = i;
        if (f->first_row < 0)
            f->first_row = i;
    }
    for (int j = 0; j < f->cols; j++) {
        if (!f->per_col[j])
            continue;
        f->bad_cols++;
        f->last_col = j;
        if (f->first_col < 0)
            f->first_col = j;
    }
}

/* Find a usual block width w for which the wrong lines are exactly those after the last full block,
 * [total - total % w, total). Several widths may fit, so the most common ones are tried first.
 * Returns 0 if none fits. */
static int remainder_width(int total, int first, int last, int bad)
{
    static const int widths[] = {8, 16, 4, 32, 64, 128, 2};
    for (size_t i = 0; first > 0 && i < sizeof widths / sizeof widths[0]; i++) {
        int w = widths[i], rest = total % w;
        if (rest && first == total - rest && last == total - 1 && bad == rest)
            return w;
    }
    return 0;
}

enum { USUAL_END_LEAST = 64 };

/* Arrays and loops of a fixed size often hold so many. */
static bool is_usual_end(int size)
{
    return size >= USUAL_END_LEAST && (size & (size - 1)) == 0;
}

/* is: what the width w is, if that is known. */
static void remainder_text(struct strbuf *sb, const char *what, const char *dim, int total,
                           int first, int w, const char *is)
{
    if (total - first == 1)
        strbuf_addf(sb, "only the last %s (%d)", what, first);
    else
        strbuf_addf(sb, "only the last %d %ss (%d..%d)", total - first, what, first, total - 1);
    strbuf_addf(sb, ": %s = %d is not a multiple of %d%s", dim, total, w, is);
    if (!*is && is_usual_end(first))
        strbuf_addf(sb, ", or an array or a loop ends at %d", first);
}

/* The wrong lines are every second one, every fourth one and the like, three of them at least: how
 * far they are apart. 0: they are not. */
static int stride(const int *per_line, int first, int last, int bad)
{
    for (int step = 2; step <= 16; step *= 2) {
        if ((last - first) / step + 1 != bad || (last - first) % step || bad < 3)
            continue;
        int found = 0;
        for (int i = first; i <= last; i += step)
            found += per_line[i] > 0;
        if (found == bad)
            return step;
    }
    return 0;
}

static void stride_text(struct strbuf *sb, const char *what, int step, int first, int last)
{
    static const char *const ordinal[] = {
        [2] = "second", [4] = "fourth", [8] = "eighth", [16] = "sixteenth"};
    strbuf_addf(sb, "only every %s %s (%d, %d, %d, ... %d)", ordinal[step], what, first,
                first + step, first + 2 * step, last);
}

/* All of the first and last rows and columns, and nothing else? */
static bool is_border(const struct facts *f)
{
    const uint64_t inside = (uint64_t)(f->rows - 2) * (uint64_t)(f->cols - 2);
    if (f->rows < 3 || f->cols < 3 || f->wrong != (uint64_t)f->rows * (uint64_t)f->cols - inside ||
        f->per_row[0] != f->cols || f->per_row[f->rows - 1] != f->cols)
        return false;
    return f->per_col[0] == f->rows && f->per_col[f->cols - 1] == f->rows;
}

/* Some of the first and the last line, of so many that this is no chance. */
static bool is_both_ends(int total, int first, int last, int bad)
{
    return total > 4 && bad == 2 && first == 0 && last == total - 1;
}

/* Most of a wider border, and nothing else. The inside is so large that this is no chance. */
static bool is_wide_border(const struct facts *f)
{
    const uint64_t all = (uint64_t)f->rows * (uint64_t)f->cols;
    if (f->rows <= 2 * f->depth || f->cols <= 2 * f->depth)
        return false;
    const uint64_t inside = (uint64_t)(f->rows - 2 * f->depth) * (uint64_t)(f->cols - 2 * f->depth);
    return 4 * inside >= all && 4 * f->wrong >= 3 * (all - inside);
}

/* All of the last rows and of the last columns, and nothing else, and more is right. *row,
 * *col: the first ones. */
static bool is_after_blocks(const struct facts *f, int *row, int *col)
{
    int i = f->rows, j = f->cols;
    while (i > 0 && f->per_row[i - 1] == f->cols)
        i--;
    while (j > 0 && f->per_col[j - 1] == f->rows)
        j--;
    *row = i;
    *col = j;
    return i < f->rows && i > f->rows / 2 && j < f->cols && j > f->cols / 2 &&
           f->wrong + (uint64_t)i * (uint64_t)j == (uint64_t)f->rows * (uint64_t)f->cols;
}

/* All elements on one side of the diagonal, and nothing else: which side, or NULL. */
static const char *triangle(const struct facts *f)
{
    const uint64_t half = (uint64_t)f->rows * (uint64_t)(f->rows - 1) / 2;
    return f->rows != f->cols || f->rows < 3 || f->wrong != half ? NULL
           : f->below == half ? "only below the diagonal: the row is larger than the column"
           : f->above == half ? "only above the diagonal: the column is larger than the row"
                              : NULL;
}

static void vector_text(struct strbuf *sb, const struct facts *f)
{
    if (f->bad_rows == 1)
        strbuf_addf(sb, "only element %d", f->first_row);
    else if (f->bad_rows == f->last_row - f->first_row + 1)
        strbuf_addf(sb, "only elements %d..%d", f->first_row, f->last_row);
    else
        strbuf_addf(sb, "%d elements between %d and %d", f->bad_rows, f->first_row, f->last_row);
}

/* Said of wrong elements that have no place in common, while no cause is known. */
static const char *const NO_PLACE[] = {"scattered", "a few, scattered"};

/* A number of elements that is always the same leaves the same rest in every case. */
static bool varies(const char *dim)
{
    return strspn(dim, "0123456789") < strlen(dim);
}

static void where(struct strbuf *sb, const struct facts *f, struct launch launch,
                  struct mismatch *m)
{
    int step;
    uint64_t all = (uint64_t)f->rows * (uint64_t)f->cols;
    int w;
    int from, to;
    int workers = launch.ranks > 1 ? launch.ranks : launch.threads;
    if (!*f->row) {
        return; /* there is no other element */
    } else if (f->wrong == all) {
        strbuf_adds(sb, "every element");
    } else if (is_border(f)) {
        strbuf_adds(sb,
                    "only the border: the first and the last row, the first and the last column");
    } else if (is_wide_border(f)) {
        strbuf_addf(sb,
                    "only the border: the first and the last %d rows, the first and the last %d "
                    "columns",
                    f->depth, f->depth);
    } else if (is_after_blocks(f, &from, &to)) {
        strbuf_addf(sb,
                    "only the rows from %d and the columns from %d on: what is left after whole "
                    "blocks",
                    from, to);
    } else if (triangle(f)) {
        strbuf_adds(sb, triangle(f));
    } else if (is_both_ends(f->cols, f->first_col, f->last_col, f->bad_cols)) {
        strbuf_adds(sb, "only in the first and the last column");
    } else if (is_both_ends(f->rows, f->first_row, f->last_row, f->bad_rows)) {
        strbuf_addf(sb, "only in the first and the last %s", f->row);
    } else if ((step = stride(f->per_col, f->first_col, f->last_col, f->bad_cols))) {
        stride_text(sb, "column", step, f->first_col, f->last_col);
    } else if ((step = stride(f->per_row, f->first_row, f->last_row, f->bad_rows))) {
        stride_text(sb, f->row, step, f->first_row, f->last_row);
    } else if (varies(f->col_dim) &&
               (w = remainder_width(f->cols, f->first_col, f->last_col, f->bad_cols))) {
        m->rest_size = f->cols, m->rest_width = w;
        remainder_text(sb, "column", f->col_dim, f->cols, f->first_col, w, "");
    } else if (varies(f->row_dim) && pattern_left_over_by_workers(f, workers)) {
        m->rest_size = f->rows, m->rest_width = workers, m->rest_rows = true;
        remainder_text(sb, f->row, f->row_dim, f->rows, f->first_row, workers,
                       launch.ranks > 1 ? PATTERN_OF_RANKS : PATTERN_OF_THREADS);
    } else if (varies(f->row_dim) &&
               (w = remainder_width(f->rows, f->first_row, f->last_row, f->bad_rows))) {
        m->rest_size = f->rows, m->rest_width = w, m->rest_rows = true;
        remainder_text(sb, f->row, f->row_dim, f->rows, f->first_row, w, "");
    } else if (pattern_between_workers(f, workers)) {
        pattern_between_text(sb, f, launch.ranks > 1 ? "rank" : "thread");
    } else if (f->bad_rows < f->rows && (w = pattern_owning_worker(f, workers, &from, &to)) >= 0) {
        const char *who = launch.ranks > 1 ? "rank" : "thread";
        strbuf_addf(sb, "only %ss that %s %d of %d has when %ss are divided evenly (%d..%d)",
                    f->row, who, w, workers, f->row, from, to);
    } else if (strcmp(f->row, "element") == 0) {
        vector_text(sb, f);
    } else if (f->wrong == 1) {
        strbuf_addf(sb, "only row %d, column %d", f->first_row, f->first_col);
    } else if (f->bad_rows == 1) {
        strbuf_addf(sb, "only row %d, columns %d..%d", f->first_row, f->first_col, f->last_col);
    } else if (f->bad_cols == 1) {
        strbuf_addf(sb, "only column %d, rows %d..%d", f->first_col, f->first_row, f->last_row);
    } else if (f->wrong == (uint64_t)f->bad_rows * (uint64_t)f->bad_cols &&
               f->bad_rows == f->last_row - f->first_row + 1 &&
               f->bad_cols == f->last_col - f->first_col + 1) {
        strbuf_addf(sb, "the whole block rows %d..%d, columns %d..%d and nothing else",
                    f->first_row, f->last_row, f->first_col, f->last_col);
        if (is_usual_end(f->first_col) && f->last_col == f->cols - 1)
            strbuf_addf(sb, ": does an array or a loop end at %d?", f->first_col);
    } else if (f->wrong * 100 < all) {
        strbuf_adds(sb, NO_PLACE[1]);
    } else {
        strbuf_adds(sb, NO_PLACE[0]);
    }
}

/* An output with one row or one column has no such dimension; then nothing is said of it. */
static const char *dim_name(const struct kernel *k, int dim)
{
    return dim == EXTENT_ONE ? "" : k->dim_name[dim];
}

const char *pattern_row(const struct operand *out)
{
    return !out->size || out->size->count > 1 ? "row" : out->size->count ? "element" : "";
}

/* What says how many rows, or columns, the output has. */
static const char *row_dim(const struct kernel *k)
{
    const struct extents *x = k->out.size;
    if (!x)
        return dim_name(k, k->out.rows);
    return x->count == 0 ? "" : x->count > 2 ? "their number" : x->text[0];
}

static const char *col_dim(const struct kernel *k)
{
    const struct extents *x = k->out.size;
    if (!x)
        return dim_name(k, k->out.cols);
    return x->count > 1 ? x->text[x->count - 1] : "";
}

/* So many wrong elements of one or two bytes may happen to be what was there before. */
static uint64_t by_chance(const struct facts *f, const struct operand *out)
{
    const size_t bytes = type_bytes(out->type);
    return bytes > 2 ? 0 : 4 + 4 * (f->wrong >> 8 * bytes);
}

/* As many bytes are written as elements of half the size have. The middle one of an odd number is
 * half written. `first`: the first wrong one. One of two workers has that half too. */
static bool is_second_half(const struct facts *f, const struct operand *out, struct launch launch,
                           uint64_t first)
{
    const uint64_t all = (uint64_t)f->rows * (uint64_t)f->cols;
    const bool has_half = type_bytes(out->type) == 8 && !type_is_complex(out->type);
    return has_half && all > 3 && first == all / 2 && f->wrong == all - first &&
           f->untouched >= f->wrong - all % 2 && launch_workers(launch) != 2;
}

/* What the wrong elements hold. */
static void what(struct strbuf *sb, const struct facts *f, const struct operand *out, bool by_float,
                 bool half)
{
    if (half)
        strbuf_addf(sb,
                    "; the second half is %s: is a size or a type half of that of the elements, "
                    "as of %s, or does a loop end there?",
                    out->initial ? "as before the call" : "never written",
                    out->type == TYPE_F64 ? "float (MPI_FLOAT) for double"
                                          : "int (MPI_INT) for int64_t");
    else if (f->wrong && f->untouched == f->wrong)
        strbuf_adds(sb, out->initial ? "; as before the call" : "; never written");
    else if (f->wrong && f->added_to == f->wrong && !out->initial)
        strbuf_addf(sb, "; the result was added to what %s held before: %s must be assigned",
                    out->name, out->name);
    else if (!by_float &&
             2 * f->int_min > f->wrong) /* what x86 makes of a float that is too large */
        strbuf_adds(sb, "; most of them are INT_MIN: this looks like a float or double that "
                        "was converted to int");
    else if (f->wrong > 1 && f->zero == f->wrong)
        strbuf_adds(sb, "; all of them are 0");
    else if (f->wrong && f->nan == f->wrong)
        strbuf_addf(sb, "; %s NaN: 0 / 0 and the root of a negative number are",
                    f->wrong == 1 ? "it is" : "all of them are");
    else if (f->untouched > by_chance(f, out) && !out->initial)
        strbuf_addf(sb, "; %llu of them never written", (unsigned long long)f->untouched);
}

/* What all elements are. Which of them are wrong says nothing then. NULL: they have nothing in
 * common. */
static const char *all_elements(const struct facts *f, const struct operand *out)
{
    const uint64_t all = (uint64_t)f->rows * (uint64_t)f->cols;
    return all < 2 || !f->wrong                      ? NULL
           : f->all_zero == all                      ? "every element is 0"
           : out->initial && f->all_untouched == all ? "every element is as before the call"
                                                     : NULL;
}

static bool is_last_left_out(const struct facts *f)
{
    return varies(f->row_dim) && f->rows > 1 && f->bad_rows == 1 && f->first_row == f->rows - 1 &&
           (f->zero == f->wrong || (f->untouched == f->wrong && f->wrong == (uint64_t)f->cols));
}

bool pattern_describe(const struct wrong_elements *w, struct mismatch *m)
{
    const struct operand *out = &w->kernel->out;
    struct facts f = {.rows = (int)operand_rows(out, w->shape),
                      .cols = (int)operand_cols(out, w->shape),
                      .row = pattern_row(out),
                      .row_dim = row_dim(w->kernel),
                      .col_dim = col_dim(w->kernel)};
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    bool by_float = false;
    f.per_row = xcalloc((size_t)f.rows, sizeof *f.per_row);
    f.per_col = xcalloc((size_t)f.cols, sizeof *f.per_col);
    gather(w, &f, m);
    m->wrong = f.wrong;
    m->total = (uint64_t)f.rows * (uint64_t)f.cols;
    m->present = f.wrong > 0;
    m->last_left_out = is_last_left_out(&f) ? f.row : NULL;
    by_float = f.rounded && f.rounded + f.int_min == f.wrong;
    const char *const all = all_elements(&f, out);
    if (all)
        strbuf_adds(&sb, all);
    else if (f.wrong && w->transposed)
        strbuf_adds(&sb, "the result is transposed");
    else if (by_float) /* which elements are large enough is chance */
        strbuf_adds(&sb,
                    "large numbers are rounded as a float rounds them: this looks like a float "
                    "in place of an int32_t");
    else if (f.wrong)
        where(&sb, &f, w->launch, m);
    if (!all)
        what(&sb, &f, out, by_float,
             is_second_half(&f, out, w->launch,
                            (uint64_t)m->row * (uint64_t)f.cols + (uint64_t)m->col));
    snprintf(m->pattern, sizeof m->pattern, "%s", sb.s);
    free(f.per_row);
    free(f.per_col);
    return all != NULL;
}

bool pattern_is_transposed(size_t rows, size_t cols, size_t element, const void *expected,
                           const void *got)
{
    const unsigned char *want = expected, *have = got;
    if (rows == 1 || cols == 1)
        return false;
    for (size_t i = 0; i < rows * cols; i++)
        if (memcmp(have + (i % cols * rows + i / cols) * element, want + i * element, element) != 0)
            return false;
    return true;
}

void pattern_add_cause(struct mismatch *m, const char *cause)
{
    const char *rest = m->pattern;
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (size_t i = 0; i < sizeof NO_PLACE / sizeof NO_PLACE[0]; i++) {
        const size_t length = strlen(NO_PLACE[i]);
        if (strncmp(m->pattern, NO_PLACE[i], length) == 0)
            rest = m->pattern + length;
    }
    if (rest > m->pattern) /* the cause is the first thing that is said */
        strbuf_addf(&sb, "%s%s", cause, rest);
    else
        strbuf_addf(&sb, "%s; %s", rest, cause);
    snprintf(m->pattern, sizeof m->pattern, "%s", sb.s);
}
