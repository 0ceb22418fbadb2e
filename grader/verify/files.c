/* The digests of a run's files, against those in its receipts. */
#include <string.h>

#include "base/strbuf.h"
#include "report/receipt.h"
#include "verify/comparisons.h"

/* Does a file that is not in the receipts belong to a unit that had no result yet? */
static bool is_of_later_unit(const struct receipts *r, const char *file)
{
    if (strncmp(file, "units/", 6) != 0)
        return false;
    OWNED char *id = xasprintf("%.*s", (int)strcspn(file + 6, "/"), file + 6);
    bool had_result = receipts_had_result(r, id);
    return !had_result;
}

static bool came_after(const struct receipts *r, const struct since *since, const char *file)
{
    if (strncmp(file, "nodes/", 6) == 0)
        return since->unfinished || json_integer_value(json_object_get(r->doc, "units_left")) > 0;
    return is_of_later_unit(r, file);
}

/* Was the file rewritten by a resume that has not ended? */
static bool is_rewritten(const char *dir, const struct receipts *r, struct since *since,
                         const char *file, const char *was, const char *is)
{
    if (since->options && strcmp(file, part_name(PART_RESUME_OPTIONS)) == 0)
        return true;
    if (!since->options || strcmp(file, part_name(PART_PLAN)) != 0)
        return false;
    return since->plan = resumed_same_plan(dir, r, was, is);
}

static bool differ(const char *was, const char *is)
{
    /* Nobody knows what is in a file that cannot be read. */
    return !was || !is || strcmp(was, is) != 0 || strcmp(is, RECEIPT_UNREADABLE) == 0;
}

/* What has happened since? Of a resume that has begun, resume.json has traces. */
static struct since look(const struct run *run, const struct receipts *r, const json_t *recorded,
                         json_t *now)
{
    struct since since = {0};
    const char *file, *options = part_name(PART_RESUME_OPTIONS);
    json_t *value;
    json_object_foreach(now, file, value)
    {
        if (!json_object_get(recorded, file) && is_of_later_unit(r, file))
            since.unfinished = true;
    }
    const char *was = json_string_value(json_object_get(recorded, options));
    const char *is = json_string_value(json_object_get(now, options));
    if (was && is && differ(was, is)) {
        since.unfinished = since.unfinished || (run && resumed_goes_on(run, r));
        since.options = since.unfinished;
    }
    return since;
}

size_t verify_files(const char *dir, const struct run *run, const struct receipts *r, json_t *now,
                    struct since *since, struct differences *d)
{
    const json_t *recorded = json_object_get(r->doc, "files"), *value;
    const char *file;
    size_t compared = 0;
    *since = look(run, r, recorded, now);
    json_object_foreach((json_t *)recorded, file, value)
    {
        const char *was = json_string_value(value);
        const char *is = json_string_value(json_object_get(now, file));
        compared++;
        if (!differ(was, is))
            continue;
        if (was && is && is_rewritten(dir, r, since, file, was, is))
            differences_note(d, "%s: is newer than the receipts: a resume has begun and not ended",
                             file);
        else
            differences_add(d, (struct place){file, "", "sha256"}, was ? was : "(not a digest)",
                            is ? is : "(no such file)");
    }
    json_object_foreach(now, file, value)
    {
        if (json_object_get(recorded, file))
            continue;
        if (came_after(r, since, file)) {
            differences_note(d, "%s: came after the report was written", file);
            since->unfinished = true;
        } else {
            differences_add(d, (struct place){file, "", "sha256"}, "(not in receipts.json)",
                            json_string_value(value));
        }
    }
    return compared;
}
