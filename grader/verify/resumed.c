/*
 * What a resume rewrites when it begins. The receipts follow when it ends, so until then they
 * differ from resume.json, which says how the run is executed, and, if the grader is another one by
 * now, from plan.json, in which the resume notes who graded the units that had a result.
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/strbuf.h"
#include "report/receipt.h"
#include "rundir/attempts.h"
#include "rundir/lock.h"
#include "rundir/paths.h"
#include "rundir/resume_options.h"
#include "rundir/tools.h"
#include "verify/comparisons.h"

bool resumed_goes_on(const struct run *r, const struct receipts *rc)
{
    FREED_BY(resume_options_free) struct resume_options options = {0};
    bool left = false;
    if (run_is_locked(r->dir))
        return true;
    const bool known = resume_options_load(r->dir, &options, NULL) == 0;
    for (unsigned i = 0; known && !left && i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        left = !u->preset && !receipts_had_result(rc, u->id) &&
               !attempt_has_result(r->dir, u->id) &&
               !resume_options_ended(r, &options, u->id, NULL);
    }
    return left;
}

/* The grader of a unit as the receipts have it: the digest of its programs; NULL: that of the run.
 */
static const char *tools_then(const struct receipts *rc, const char *unit)
{
    return json_string_value(json_object_get(json_object_get(rc->units, unit), "tools_sha256"));
}

/* Can a resume have noted this? Of units that had a result, it notes the grader of the run. */
static bool may_be_noted(const struct receipts *rc, const char *unit, const char *tools)
{
    char of_run[DIGEST_HEX];
    tools_digest(json_object_get(json_object_get(rc->doc, "run"), "tools"), of_run);
    return !receipts_had_result(rc, unit) || (tools && strcmp(tools, of_run) == 0);
}

static void digest_text(const json_t *o, char out[DIGEST_HEX])
{
    OWNED char *text = json_file_text(o);
    digest_bytes(text ? text : "", text ? strlen(text) : 0, out);
}

bool resumed_same_plan(const char *dir, const struct receipts *rc, const char *was, const char *is)
{
    char *path = rundir_plan(dir), digest[DIGEST_HEX];
    struct json_reader rd = {.path = path};
    json_t *plan = json_read_file(&rd, RECEIPT_MOST), *unit;
    size_t i;
    digest_text(plan, digest);
    bool same = strcmp(digest, is) == 0; /* all that is in the file was read */
    json_array_foreach(json_object_get(plan, "units"), i, unit)
    {
        const char *id = json_string_value(json_object_get(unit, "id"));
        const char *now = json_string_value(json_object_get(unit, "tools"));
        const char *then = id ? tools_then(rc, id) : NULL;
        if (!id || (now && then && strcmp(now, then) == 0) || !may_be_noted(rc, id, now))
            continue;
        if (then)
            json_object_set_new(unit, "tools", json_string(then));
        else
            json_object_del(unit, "tools");
    }
    digest_text(plan, digest);
    same = same && strcmp(digest, was) == 0;
    json_decref(plan);
    free(path);
    return same;
}

void resumed_restore(const struct run *r, const struct receipts *rc)
{
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        struct unit *u = &r->plan->units[i];
        const char *then = tools_then(rc, u->id);
        free(u->tools);
        u->tools = then ? xstrdup(then) : NULL;
    }
}
