/* A digest that was kept before the run was regraded or rescored. Its receipts are in earlier/n/.
 */
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/plan.h"
#include "verify/comparisons.h"

/* "regrade of 2026-11-27T07:20:00Z": the n-th change, as the plan tells it that came of it. */
static char *change_text(const char *dir, unsigned n)
{
    OWNED char *after = xasprintf("%s/earlier/%u", dir, n + 1);
    struct plan *p = NULL;
    struct err ignored = ERR_INIT;
    char *text = NULL;
    if (plan_load(fs_is_dir(after) ? after : dir, &p, &ignored) == 0 && p->revised)
        text = xstrdup(p->revised);
    plan_free(p);
    return text ? text : xasprintf("regrade or rescore number %u", n);
}

/* Whether one of the changes from number n on has kept this file with this digest. */
static bool was_replaced(const char *dir, unsigned n, const char *path, const char *digest)
{
    bool kept = false;
    for (; !kept; n++) {
        OWNED char *at = xasprintf("%s/earlier/%u", dir, n), *file = xasprintf("%s/%s", at, path);
        char is[DIGEST_HEX];
        const bool there = fs_is_dir(at);
        kept = there && digest_file(file, is, NULL) == 0 && strcmp(is, digest) == 0;
        if (!there)
            break;
    }
    return kept;
}

/* What grades come from, and a change keeps when it replaces it. */
static bool is_evidence(const char *path)
{
    const size_t n = strlen(path), result = strlen("/result.json");
    return strncmp(path, "sources/", 8) == 0 || (strncmp(path, "units/", 6) == 0 && n > result &&
                                                 strcmp(path + n - result, "/result.json") == 0);
}

/* The unit of a result whose times alone are others: a regrade also takes up times of other units
 * that are not confirmed. NULL: its verdict is another one, or it is no result. */
static const char *timed_again(const char *path, const struct receipts *was,
                               const struct receipts *now)
{
    const char *id;
    json_t *unit;
    json_object_foreach(was->units, id, unit)
    {
        const size_t n = strlen(id);
        if (strncmp(path, "units/", 6) == 0 && strncmp(path + 6, id, n) == 0 &&
            strcmp(path + 6 + n, "/result.json") == 0)
            return json_equal(json_object_get(unit, "verdict"),
                              json_object_get(json_object_get(now->units, id), "verdict"))
                       ? id
                       : NULL;
    }
    return NULL;
}

/* What has changed and was not replaced: else somebody could change a result, regrade something,
 * and have a new digest. */
static void add_change(const char *path, const char *before, const char *is,
                       const struct receipts *was, const struct receipts *now,
                       struct differences *d)
{
    const char *unit = timed_again(path, was, now);
    if (!unit) {
        differences_add(d, (struct place){path, "", "sha256"}, before, is ? is : "(no such file)");
        return;
    }
    const json_t *then = json_object_get(json_object_get(was->units, unit), "points"),
                 *later = json_object_get(json_object_get(now->units, unit), "points");
    differences_note(d, "the times of %s are others than then: %.2f -> %.2f points", unit,
                     json_number_value(then), json_number_value(later));
}

static void compare_since(const char *dir, unsigned n, const struct receipts *was,
                          const struct receipts *now, struct differences *d)
{
    const char *path;
    json_t *digest;
    json_object_foreach(json_object_get(was->doc, "files"), path, digest)
    {
        const char *before = json_string_value(digest),
                   *is =
                       json_string_value(json_object_get(json_object_get(now->doc, "files"), path));
        if (is_evidence(path) && before && !(is && strcmp(is, before) == 0) &&
            !was_replaced(dir, n, path, before))
            add_change(path, before, is, was, now, d);
    }
}

/* Whose receipt it is; "": the digest of the whole run; NULL: neither. */
static const char *matches(const struct receipts *r, const char *wanted)
{
    size_t i;
    const json_t *s;
    if (strcmp(wanted, r->digest) == 0)
        return "";
    json_array_foreach(json_object_get(r->doc, "submissions"), i, s)
    {
        const char *receipt = json_string_value(json_object_get(s, "receipt")),
                   *id = json_string_value(json_object_get(s, "id"));
        if (receipt && id && strcmp(receipt, wanted) == 0)
            return id;
    }
    return NULL;
}

bool verify_earlier_digest(const char *dir, const struct receipts *now, const char *wanted,
                           struct differences *d)
{
    bool found = false, there = true;
    for (unsigned n = 1; !found && there; n++) {
        OWNED char *at = xasprintf("%s/earlier/%u", dir, n);
        FREED_BY(receipts_free) struct receipts was = {0};
        FREED_BY(differences_free) struct differences ignored = {0};
        struct err e = ERR_INIT;
        there = fs_is_dir(at);
        const bool read = receipts_load(at, &was, &ignored, &e) == 0;
        const char *whose = read ? matches(&was, wanted) : NULL;
        if (whose) {
            OWNED char *change = change_text(dir, n);
            found = true;
            compare_since(dir, n, &was, now, d);
            differences_note(d,
                             "this %s%s is of the run before the %s. earlier/%u has what that "
                             "replaced",
                             *whose ? "receipt of " : "digest", whose, change, n);
        }
    }
    return found;
}
