/* receipts.json: read it, check it against itself, and compare it with receipts made again. */
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "report/receipt.h"
#include "rundir/paths.h"
#include "verify/parts.h"

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
        char *where = xasprintf("line %d", why.line);
        differences_add(d, (struct place){file, where, ""}, why.text, "JSON");
        free(where);
        return;
    }
    json_t *format = json_integer(RECEIPT_FORMAT);
    verify_json((struct place){file, "", "format"}, json_object_get(r->doc, "format"), format, d);
    json_decref(format);
}

int receipts_load(const char *dir, struct receipts *r, struct differences *d, struct err *e)
{
    char *path = rundir_receipts(dir), *text = NULL;
    size_t len;
    int rc = 0;
    *r = (struct receipts){0};
    if (fs_exists(path))
        rc = fs_read(path, RECEIPT_MOST, &text, &len, e);
    if (text)
        parse(text, len, r, d);
    r->units = units_by_id(r->doc);
    free(text);
    free(path);
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

void verify_receipts_themselves(const json_t *doc, struct differences *d)
{
    static const char *const parts[][2] = {{"run", "run_sha256"}, {"files", "files_sha256"}};
    char digest[DIGEST_HEX];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        receipt_json_digest(json_object_get(doc, parts[i][0]), digest);
        json_t *is = json_string(digest);
        verify_json((struct place){file, "", parts[i][1]}, json_object_get(doc, parts[i][1]), is,
                    d);
        json_decref(is);
    }
    size_t n;
    const json_t *submission;
    json_array_foreach(json_object_get(doc, "submissions"), n, submission)
    {
        const char *id = json_string_value(json_object_get(submission, "id"));
        receipt_submission_digest(submission, digest);
        json_t *is = json_string(digest);
        verify_json((struct place){file, id, "receipt"}, json_object_get(submission, "receipt"), is,
                    d);
        json_decref(is);
    }
}

void verify_wanted_digest(const char *dir, const struct receipts *r, const char *wanted,
                          struct differences *d)
{
    size_t i;
    const json_t *submission;
    if (strcmp(wanted, r->digest) == 0)
        return;
    json_array_foreach(json_object_get(r->doc, "submissions"), i, submission)
    {
        const char *receipt = json_string_value(json_object_get(submission, "receipt"));
        const char *id = json_string_value(json_object_get(submission, "id"));
        if (receipt && strcmp(receipt, wanted) == 0) {
            differences_note(d, "the digest given is the receipt of %s", id ? id : "?");
            return;
        }
    }
    if (verify_earlier_digest(dir, r, wanted, d))
        return;
    differences_add(d, (struct place){file, "", "digest"}, wanted,
                    r->digest[0] ? r->digest : "(there are no receipts)");
}

/* The same values could be written in other bytes. This program writes them in one way only. */
static void compare_bytes(const struct receipts *r, struct differences *d)
{
    char *text = json_file_text(r->doc), digest[DIGEST_HEX];
    digest_bytes(text, strlen(text), digest);
    if (strcmp(digest, r->digest) != 0)
        differences_add(d, (struct place){file, "", "a byte that does not show"}, r->digest,
                        digest);
    free(text);
}

void verify_receipts(const struct receipts *r, json_t *again, struct differences *d)
{
    json_t *values = json_copy(r->doc);
    json_object_del(values, "files"); /* verify_files() compares them */
    json_object_del(values, "files_sha256");
    json_object_del(values, "format"); /* receipts_load() compared it */
    json_object_del(again, "format");
    verify_json((struct place){file, "", ""}, values, again, d);
    json_decref(values);
    compare_bytes(r, d);
}
