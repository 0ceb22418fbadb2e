/* Two texts that should be the same: where do they part? */
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/fsio.h"
#include "base/strbuf.h"
#include "report/receipt.h"
#include "verify/parts.h"

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

static void object_differs(const char *file, const char *where, const char *field, const json_t *a,
                           const json_t *b, struct verification *v)
{
    const char *key;
    json_t *value;
    json_t *all = json_copy((json_t *)a);
    json_object_update_missing(all, (json_t *)b);
    json_object_foreach(all, key, value)
    {
        char *below = xasprintf("%s%s%s", field, *field ? "." : "", key);
        verify_json(file, where, below, json_object_get(a, key), json_object_get(b, key), v);
        free(below);
    }
    json_decref(all);
}

static const char *name_of(const json_t *item)
{
    const char *unit = json_string_value(json_object_get(item, "unit"));
    return unit ? unit : json_string_value(json_object_get(item, "id"));
}

static void array_differs(const char *file, const char *where, const char *field, const json_t *a,
                          const json_t *b, struct verification *v)
{
    size_t n = json_array_size(a) > json_array_size(b) ? json_array_size(a) : json_array_size(b);
    for (size_t i = 0; i < n; i++) {
        const json_t *x = json_array_get(a, i), *y = json_array_get(b, i);
        const char *name = name_of(y ? y : x);
        char *below = name ? xstrdup("") : xasprintf("%s[%zu]", field, i);
        verify_json(file, name ? name : where, below, x, y, v);
        free(below);
    }
}

void verify_json(const char *file, const char *where, const char *field, const json_t *recorded,
                 const json_t *recomputed, struct verification *v)
{
    if (recorded && recomputed && json_equal((json_t *)recorded, (json_t *)recomputed))
        return;
    if (json_is_object(recorded) && json_is_object(recomputed)) {
        object_differs(file, where, field, recorded, recomputed, v);
    } else if (json_is_array(recorded) && json_is_array(recomputed)) {
        array_differs(file, where, field, recorded, recomputed, v);
    } else {
        char *a = shown(recorded), *b = shown(recomputed);
        verify_differs(v, file, where, field, a, b);
        free(a);
        free(b);
    }
}

/* Only the last of two keys of one name is seen; receipts are read with those refused. */
void verify_receipts_themselves(const json_t *doc, struct verification *v)
{
    static const char *const parts[][2] = {{"run", "run_sha256"}, {"files", "files_sha256"}};
    char digest[DIGEST_HEX];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const json_t *recorded = json_object_get(doc, parts[i][1]);
        receipt_json_digest(json_object_get(doc, parts[i][0]), digest);
        json_t *is = json_string(digest);
        verify_json("receipts.json", "", parts[i][1], recorded, is, v);
        json_decref(is);
    }
    size_t n;
    const json_t *s;
    json_array_foreach(json_object_get(doc, "submissions"), n, s)
    {
        const char *name = name_of(s);
        receipt_submission_digest(s, digest);
        json_t *is = json_string(digest);
        verify_json("receipts.json", name ? name : "", "receipt", json_object_get(s, "receipt"), is,
                    v);
        json_decref(is);
    }
}

/* --- tables ----------------------------------------------------------------------------------- */

enum { TABLE_MOST = 256 << 20 };

/* Line of the first byte in which two texts differ; their lines there go to *x and *y. */
static size_t first_difference(const char *a, size_t la, const char *b, size_t lb, char **x,
                               char **y)
{
    size_t line = 1, start = 0, i = 0;
    for (; i < la && i < lb && a[i] == b[i]; i++) {
        if (a[i] == '\n') {
            line++;
            start = i + 1;
        }
    }
    *x = start < la ? xasprintf("%.*s", (int)strcspn(a + start, "\n"), a + start) : xstrdup(absent);
    *y = start < lb ? xasprintf("%.*s", (int)strcspn(b + start, "\n"), b + start) : xstrdup(absent);
    return line;
}

static void bytes_differ(const char *name, const char *a, size_t la, const char *b, size_t lb,
                         struct verification *v)
{
    char *x, *y;
    size_t line = first_difference(a, la, b, lb, &x, &y);
    char *where = xasprintf("line %zu", line);
    verify_differs(v, name, where, strcmp(x, y) == 0 ? "a byte that does not show" : "", x, y);
    free(where);
    free(x);
    free(y);
}

/* "row 3 (alice simd)" */
static char *row_name(const struct csv_row *row, size_t i)
{
    return xasprintf("row %zu (%s%s%s)", i, row->field[0], row->count > 1 ? " " : "",
                     row->count > 1 ? row->field[1] : "");
}

static size_t rows_differ(const char *name, const struct csv_table *a, const struct csv_table *b,
                          struct verification *v)
{
    size_t found = 0;
    if (a->count != b->count) {
        char x[32], y[32];
        snprintf(x, sizeof x, "%zu", a->count - 1);
        snprintf(y, sizeof y, "%zu", b->count - 1);
        verify_differs(v, name, "", "rows", x, y);
        found++;
    }
    size_t width = a->row[0].count < b->row[0].count ? a->row[0].count : b->row[0].count;
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        const struct csv_row *x = &a->row[i], *y = &b->row[i];
        size_t before = found;
        for (size_t k = 0; k < width; k++) {
            if (strcmp(x->field[k], y->field[k]) == 0)
                continue;
            char *where = i ? row_name(y, i) : xstrdup("header");
            verify_differs(v, name, where, b->row[0].field[k], x->field[k], y->field[k]);
            free(where);
            found++;
        }
        if (found > before && a->count != b->count)
            break; /* from the row that is missing on, all of them differ */
    }
    return found;
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
                  struct verification *v)
{
    char *a = NULL, *b = NULL;
    size_t la = 0, lb = 0;
    struct err why = ERR_INIT;
    if (fs_read(recomputed, TABLE_MOST, &b, &lb, &why) != 0 ||
        fs_read(recorded, TABLE_MOST, &a, &la, &why) != 0) {
        verify_differs(v, name, "", "", a || !b ? why.text : absent, "a table");
    } else if (la != lb || memcmp(a, b, la) != 0) {
        struct csv_table x = {0}, y = {0};
        bool tables = csv_read(recorded, &x, NULL) == 0 && csv_read(recomputed, &y, NULL) == 0;
        if (!strict && (!tables || !same_header(&x, &y)))
            verify_note(v, "%s: has other columns than this program writes: not compared", name);
        else if (!tables || !rows_differ(name, &x, &y, v))
            bytes_differ(name, a, la, b, lb, v);
        csv_table_free(&x);
        csv_table_free(&y);
    }
    free(a);
    free(b);
}
