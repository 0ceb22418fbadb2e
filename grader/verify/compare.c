/* Compare a recorded JSON value or CSV file with the recomputed one, and name each difference. */
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/digest.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "report/receipt.h"
#include "verify/comparisons.h"

static const char absent[] = "(not there)";

/* --- JSON ------------------------------------------------------------------------------------- */

static char *shown(const json_t *j)
{
    if (!j)
        return xstrdup(absent);
    if (json_is_string(j))
        return xstrdup(json_string_value(j));
    char *s = json_dumps(j, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(17));
    return s ? s : xstrdup("?");
}

static void object_differs(struct place at, const json_t *recorded, const json_t *recomputed,
                           struct differences *d)
{
    const char *key;
    json_t *value;
    json_auto_t *all = json_copy((json_t *)recorded);
    json_object_update_missing(all, (json_t *)recomputed);
    json_object_foreach(all, key, value)
    {
        OWNED char *field = xasprintf("%s%s%s", at.field, *at.field ? "." : "", key);
        verify_json((struct place){at.file, at.where, field}, json_object_get(recorded, key),
                    json_object_get(recomputed, key), d);
    }
}

static const char *name_of(const json_t *item)
{
    const char *unit = json_string_value(json_object_get(item, "unit"));
    return unit ? unit : json_string_value(json_object_get(item, "id"));
}

static void array_differs(struct place at, const json_t *recorded, const json_t *recomputed,
                          struct differences *d)
{
    size_t n = json_array_size(recorded), recomputed_size = json_array_size(recomputed);
    if (n < recomputed_size)
        n = recomputed_size;
    for (size_t i = 0; i < n; i++) {
        const json_t *was = json_array_get(recorded, i), *is = json_array_get(recomputed, i);
        const char *name = name_of(is ? is : was);
        OWNED char *field = name ? xstrdup("") : xasprintf("%s[%zu]", at.field, i);
        verify_json((struct place){at.file, name ? name : at.where, field}, was, is, d);
    }
}

void verify_json(struct place at, const json_t *recorded, const json_t *recomputed,
                 struct differences *d)
{
    if (recorded && recomputed && json_equal((json_t *)recorded, (json_t *)recomputed))
        return;
    if (!at.field)
        at.field = "";
    if (json_is_object(recorded) && json_is_object(recomputed)) {
        object_differs(at, recorded, recomputed, d);
    } else if (json_is_array(recorded) && json_is_array(recomputed)) {
        array_differs(at, recorded, recomputed, d);
    } else {
        OWNED char *was = shown(recorded), *is = shown(recomputed);
        differences_add(d, at, was, is);
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

/* A larger table is compared, but its lines are not shown. */
enum { TABLE_MOST = 256 << 20 };

struct text {
    char *s;
    size_t len;
};

/* A copy of the line that starts at a byte; there may be none. */
static char *line_at(const struct text *t, size_t start)
{
    if (start >= t->len)
        return xstrdup(absent);
    return xasprintf("%.*s", (int)strcspn(t->s + start, "\n"), t->s + start);
}

/* The digest of a file, or that there is none. */
static bool digest_of(const char *path, char out[DIGEST_HEX])
{
    const bool readable = digest_file(path, out, NULL) == 0;
    if (!readable)
        snprintf(out, DIGEST_HEX, "%s", RECEIPT_UNREADABLE);
    return readable;
}

/* What cannot be read is equal to nothing. */
static bool same_bytes(const char *a, const char *b)
{
    char x[DIGEST_HEX], y[DIGEST_HEX];
    return digest_of(a, x) && digest_of(b, y) && strcmp(x, y) == 0;
}

/* Name the first line in which two texts differ. */
static void lines_differ(const char *name, const struct text *recorded,
                         const struct text *recomputed, struct differences *d)
{
    size_t line = 1, start = 0;
    for (size_t i = 0;
         i < recorded->len && i < recomputed->len && recorded->s[i] == recomputed->s[i]; i++) {
        if (recorded->s[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    OWNED char *was = line_at(recorded, start), *is = line_at(recomputed, start);
    OWNED char *where = xasprintf("line %zu", line);
    const char *field = strcmp(was, is) == 0 ? "a byte that does not show" : "";
    differences_add(d, (struct place){name, where, field}, was, is);
}

/* Two tables whose fields are the same, or that are no tables. */
static void bytes_differ(const char *name, const char *recorded, const char *recomputed,
                         struct differences *d)
{
    struct text was = {0}, is = {0};
    char was_digest[DIGEST_HEX], is_digest[DIGEST_HEX];
    if (fs_read(recorded, TABLE_MOST, &was.s, &was.len, NULL) == 0 &&
        fs_read(recomputed, TABLE_MOST, &is.s, &is.len, NULL) == 0) {
        lines_differ(name, &was, &is, d);
    } else {
        digest_of(recorded, was_digest);
        digest_of(recomputed, is_digest);
        differences_add(d, (struct place){name, "", "sha256"}, was_digest, is_digest);
    }
    free(was.s);
    free(is.s);
}

/* "row 3 (alice simd)" */
static char *row_name(const struct csv_row *row, size_t i)
{
    if (i == 0)
        return xstrdup("header");
    return xasprintf("row %zu (%s%s%s)", i, row->field[0], row->count > 1 ? " " : "",
                     row->count > 1 ? row->field[1] : "");
}

/* Returns whether any field differs. */
static bool rows_differ(const char *name, const struct csv_table *recorded,
                        const struct csv_table *recomputed, struct differences *d)
{
    size_t before = d->count;
    bool same_length = recorded->count == recomputed->count;
    if (!same_length) {
        char was[32], is[32];
        snprintf(was, sizeof was, "%zu", recorded->count - 1);
        snprintf(is, sizeof is, "%zu", recomputed->count - 1);
        differences_add(d, (struct place){name, "", "rows"}, was, is);
    }
    const struct csv_row *header = &recomputed->row[0];
    size_t width = recorded->row[0].count < header->count ? recorded->row[0].count : header->count;
    for (size_t i = 0; i < recorded->count && i < recomputed->count; i++) {
        const struct csv_row *was = &recorded->row[i], *is = &recomputed->row[i];
        size_t before_row = d->count;
        for (size_t k = 0; k < width; k++) {
            if (strcmp(was->field[k], is->field[k]) == 0)
                continue;
            OWNED char *where = row_name(is, i);
            differences_add(d, (struct place){name, where, header->field[k]}, was->field[k],
                            is->field[k]);
        }
        if (d->count > before_row && !same_length)
            break; /* all rows after a missing row differ, too */
    }
    return d->count > before;
}

static bool same_header(const struct csv_table *a, const struct csv_table *b)
{
    if (!a->count || !b->count || a->row[0].count != b->row[0].count)
        return false;
    for (size_t i = 0; i < a->row[0].count; i++)
        if (strcmp(a->row[0].field[i], b->row[0].field[i]) != 0)
            return false;
    return true;
}

void verify_table(const char *name, const char *recorded, const char *recomputed, bool strict,
                  struct differences *d)
{
    FREED_BY(csv_table_free) struct csv_table was = {0}, is = {0};
    const bool was_there = fs_exists(recorded), is_there = fs_exists(recomputed);
    if ((!was_there && !is_there) || same_bytes(recorded, recomputed))
        return;
    const bool tables = csv_read(recorded, &was, NULL) == 0 && csv_read(recomputed, &is, NULL) == 0;
    if (!strict && (!tables || !same_header(&was, &is)))
        differences_note(d, "%s: has other columns than this program writes: not compared", name);
    else if (!was_there || !is_there)
        differences_add(d, (struct place){.file = name}, was_there ? "a table" : absent,
                        is_there ? "a table" : absent);
    else if (!tables || !rows_differ(name, &was, &is, d))
        bytes_differ(name, recorded, recomputed, d);
}
