#include "import/class_list.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/fsio.h"
#include "base/names.h"
#include "base/strbuf.h"

enum { LEFT_OUT = -2 };

struct merging {
    const struct class_update *u;
    const struct csv_table *old;
    int old_submission;
    int *old_column; /* of each column of the update, in the old file; -1: it is new; LEFT_OUT */
    struct csv_out *out;
    size_t *kept; /* of each column of the old file, in the new one */
    size_t submission, *added;
    struct strbuf *keeps;
};

/* A new column in which every field would be empty is left out. */
static bool is_needed(const struct class_update *u, size_t column)
{
    for (size_t i = 0; i < u->rows; i++)
        if (u->row[i].change == CLASS_WRITE && *u->row[i].field[column])
            return true;
    return false;
}

static void make_columns(struct merging *m)
{
    const size_t width = m->old->count ? m->old->row[0].count : 0;
    m->kept = xcalloc(width + 1, sizeof *m->kept);
    m->added = xcalloc(m->u->columns + 1, sizeof *m->added);
    m->old_column = xcalloc(m->u->columns + 1, sizeof *m->old_column);
    if (!width)
        m->submission = csv_out_column(m->out, "submission");
    for (size_t i = 0; i < width; i++)
        m->kept[i] = csv_out_column(m->out, m->old->row[0].field[i]);
    if (width)
        m->submission = m->kept[m->old_submission];
    for (size_t k = 0; k < m->u->columns; k++) {
        m->old_column[k] = width ? csv_column(m->old, m->u->column[k]) : -1;
        if (m->old_column[k] < 0 && !is_needed(m->u, k)) {
            m->old_column[k] = LEFT_OUT;
            continue;
        }
        m->added[k] = m->old_column[k] >= 0 ? m->kept[m->old_column[k]]
                                            : csv_out_column(m->out, m->u->column[k]);
    }
}

/* Which column of the update an old column is; -1: of none. */
static int updated_column(const struct merging *m, size_t old)
{
    for (size_t k = 0; k < m->u->columns; k++)
        if (m->old_column[k] == (int)old)
            return (int)k;
    return -1;
}

/* The name that somebody wrote there is better than what a platform makes of it, and what a
 * platform does not tell, somebody may have written. Only nobody's being late is told by an empty
 * field. */
static const char *merged(const struct merging *m, const struct class_row *row, int k,
                          const char *old)
{
    if (!row || k < 0)
        return old;
    const bool name = strcasecmp(m->u->column[k], "name") == 0;
    const bool late = strcasecmp(m->u->column[k], "late") == 0;
    const bool weak = row->weak_name && strcmp(old, row->weak_name) == 0;
    return (name && *old && !weak) || (!late && !*row->field[k]) ? old : row->field[k];
}

static void write_old_row(struct merging *m, const struct csv_row *old, const struct class_row *row)
{
    for (size_t i = 0; i < old->count; i++) {
        const char *text = merged(m, row, updated_column(m, i), old->field[i]);
        if (text == old->field[i])
            csv_out_own(m->out, m->kept[i], text);
        else
            csv_out_str(m->out, m->kept[i], text);
    }
    for (size_t k = 0; k < m->u->columns; k++)
        if (m->old_column[k] == -1)
            csv_out_str(m->out, m->added[k], row ? row->field[k] : "");
    csv_out_end_row(m->out);
}

static void write_new_row(struct merging *m, const struct class_row *row)
{
    const size_t width = m->old->count ? m->old->row[0].count : 0;
    csv_out_str(m->out, m->submission, row->submission);
    for (size_t i = 0; i < width; i++)
        if ((int)i != m->old_submission && updated_column(m, i) < 0)
            csv_out_str(m->out, m->kept[i], "");
    for (size_t k = 0; k < m->u->columns; k++)
        if (m->old_column[k] != LEFT_OUT)
            csv_out_str(m->out, m->added[k], row->field[k]);
    csv_out_end_row(m->out);
}

static void merge(struct merging *m)
{
    FREED_BY(names_free) struct names ours = NAMES_INIT;
    OWNED bool *done = xcalloc(m->u->rows + 1, sizeof *done);
    for (size_t i = 0; i < m->u->rows; i++)
        names_add(&ours, m->u->row[i].submission, i);
    for (size_t i = 1; i < m->old->count; i++) {
        const struct csv_row *old = &m->old->row[i];
        const long long at = names_find(&ours, old->field[m->old_submission]);
        const struct class_row *row = at == NAMES_NONE ? NULL : &m->u->row[at];
        const enum class_change change = row ? row->change : CLASS_KEEP;
        if (row)
            done[at] = true;
        if (row && change == CLASS_KEEP)
            strbuf_addf(m->keeps, "%s\n", row->submission);
        if (change != CLASS_REMOVE)
            write_old_row(m, old, change == CLASS_WRITE ? row : NULL);
    }
    for (size_t i = 0; i < m->u->rows; i++)
        if (!done[i] && m->u->row[i].change == CLASS_WRITE)
            write_new_row(m, &m->u->row[i]);
}

int class_list_update(const char *path, const struct class_update *u, struct strbuf *kept,
                      struct err *e)
{
    FREED_BY(csv_table_free) struct csv_table old = {0};
    if (fs_exists(path) && csv_read(path, &old, e) != 0)
        return -1;
    struct merging m = {.u = u, .old = &old, .old_submission = -1, .keeps = kept};
    int rc = 0;
    if (old.count && (m.old_submission = csv_column(&old, "submission")) < 0)
        rc = err_input(
            e, "%s: has no column 'submission', so the import cannot update it; move it away",
            path);
    if (rc == 0) {
        m.out = csv_out_new();
        make_columns(&m);
        merge(&m);
        rc = csv_out_close(m.out, path, e);
    }
    free(m.kept);
    free(m.added);
    free(m.old_column);
    return rc;
}
