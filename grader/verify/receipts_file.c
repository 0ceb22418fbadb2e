/* receipts.json of a run: read it. */
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "report/receipt.h"
#include "rundir/paths.h"
#include "verify/comparisons.h"

static const char file[] = "receipts.json";

static json_t *units_by_id(const json_t *doc)
{
    json_t *all = json_object(), *unit;
    const json_t *submission;
    size_t i, k;
    json_array_foreach(json_object_get(doc, "submissions"), i, submission)
    {
        json_array_foreach(json_object_get(submission, "units"), k, unit)
        {
            const char *id = json_string_value(json_object_get(unit, "unit"));
            if (id)
                json_object_set(all, id, unit);
        }
    }
    return all;
}

static void parse(const char *text, size_t len, struct receipts *r, struct differences *d)
{
    json_error_t why;
    digest_bytes(text, len, r->digest);
    /* Of two members with the same name, only the last one would be compared. */
    r->doc = json_loadb(text, len, JSON_REJECT_DUPLICATES, &why);
    if (!r->doc) {
        OWNED char *where = xasprintf("line %d", why.line);
        differences_add(d, (struct place){file, where, ""}, why.text, "JSON");
        return;
    }
    json_auto_t *format = json_integer(RECEIPT_FORMAT);
    verify_json((struct place){file, "", "format"}, json_object_get(r->doc, "format"), format, d);
}

int receipts_load(const char *dir, struct receipts *r, struct differences *d, struct err *e)
{
    OWNED char *path = rundir_receipts(dir), *text = NULL;
    size_t len;
    int rc = 0;
    *r = (struct receipts){0};
    if (fs_exists(path))
        rc = fs_read(path, RECEIPT_MOST, &text, &len, e);
    if (text)
        parse(text, len, r, d);
    r->units = units_by_id(r->doc);
    return rc;
}

void receipts_free(struct receipts *r)
{
    json_decref(r->units);
    json_decref(r->doc);
    *r = (struct receipts){0};
}

bool receipts_had_result(const struct receipts *r, const char *unit_id)
{
    return json_is_string(json_object_get(json_object_get(r->units, unit_id), "result_sha256"));
}

bool receipts_had_first(const struct receipts *r, const char *run, const char *unit_id)
{
    OWNED char *path = rundir_first_result(run, unit_id);
    return json_object_get(json_object_get(r->doc, "files"), path + strlen(run) + 1) != NULL;
}
