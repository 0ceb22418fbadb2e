/* The digests of a run's files, against those in its receipts. */
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "report/receipt.h"
#include "verify/parts.h"

/* Does a file that is not in the receipts belong to a unit that had no result yet? */
static bool came_after(const struct receipts *r, const char *file)
{
    if (strncmp(file, "nodes/", 6) == 0)
        return json_integer_value(json_object_get(r->doc, "units_left")) > 0;
    if (strncmp(file, "units/", 6) != 0)
        return false;
    char *id = xasprintf("%.*s", (int)strcspn(file + 6, "/"), file + 6);
    bool had_result = receipts_had_result(r, id);
    free(id);
    return !had_result;
}

size_t verify_files(const char *dir, const struct receipts *r, bool *came_later,
                    struct differences *d)
{
    const json_t *recorded = json_object_get(r->doc, "files"), *value;
    json_t *now = receipt_files(dir);
    const char *file;
    size_t compared = 0;
    *came_later = false;
    json_object_foreach((json_t *)recorded, file, value)
    {
        const char *was = json_string_value(value);
        const char *is = json_string_value(json_object_get(now, file));
        compared++;
        /* Nobody knows what is in a file that cannot be read. */
        if (!was || !is || strcmp(was, is) != 0 || strcmp(is, RECEIPT_UNREADABLE) == 0)
            differences_add(d, (struct place){file, "", "sha256"}, was ? was : "(not a digest)",
                            is ? is : "(no such file)");
    }
    json_object_foreach(now, file, value)
    {
        if (json_object_get(recorded, file))
            continue;
        if (came_after(r, file)) {
            differences_note(d, "%s: came after the report was written", file);
            *came_later = true;
        } else {
            differences_add(d, (struct place){file, "", "sha256"}, "(not in receipts.json)",
                            json_string_value(value));
        }
    }
    json_decref(now);
    return compared;
}
