/* receipts.json: check it against itself, and compare it with receipts made again. */
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "report/receipt.h"
#include "rundir/paths.h"
#include "verify/comparisons.h"

static const char file[] = "receipts.json";

void verify_receipts_themselves(const json_t *doc, struct differences *d)
{
    static const char *const parts[][2] = {{"run", "run_sha256"}, {"files", "files_sha256"}};
    char digest[DIGEST_HEX];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        receipt_json_digest(json_object_get(doc, parts[i][0]), digest);
        json_auto_t *is = json_string(digest);
        verify_json((struct place){file, "", parts[i][1]}, json_object_get(doc, parts[i][1]), is,
                    d);
    }
    size_t n;
    const json_t *submission;
    json_array_foreach(json_object_get(doc, "submissions"), n, submission)
    {
        const char *id = json_string_value(json_object_get(submission, "id"));
        receipt_submission_digest(submission, digest);
        json_auto_t *is = json_string(digest);
        verify_json((struct place){file, id, "receipt"}, json_object_get(submission, "receipt"), is,
                    d);
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
    json_auto_t *values = json_copy(r->doc);
    json_object_del(values, "files"); /* verify_files() compares them */
    json_object_del(values, "files_sha256");
    json_object_del(values, "format"); /* receipts_load() compared it */
    json_object_del(again, "format");
    verify_json((struct place){file, "", ""}, values, again, d);
    compare_bytes(r, d);
}
