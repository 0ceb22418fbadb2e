#include "cmd/nightly_runs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fsio.h"
#include "base/instant.h"
#include "history/add.h"
#include "rundir/attempts.h"
#include "rundir/paths.h"

enum { NIGHT_CHARS = 15 };

static char *stamp(time_t when)
{
    struct tm tm;
    char text[NIGHT_CHARS + 1] = "";
    if (gmtime_r(&when, &tm))
        strftime(text, sizeof text, "%Y%m%d-%H%M%S", &tm);
    return xstrdup(text);
}

char *nightly_new(const char *reports)
{
    for (time_t now = time(NULL);; now++) {
        char *name = stamp(now), *dir = xasprintf("%s/nightly/%s", reports, name);
        free(name);
        if (!fs_exists(dir)) /* else: a night of the same second */
            return dir;
        free(dir);
    }
}

static bool is_night(const char *name)
{
    return strlen(name) == NIGHT_CHARS && strspn(name, "0123456789") == 8 && name[8] == '-' &&
           strspn(name + 9, "0123456789") == 6;
}

static void describe(const struct run *r, const struct results *res, struct strbuf *failures)
{
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit_result *u = res->unit[i];
        const enum verdict v = u ? u->verdict : VERDICT_INFRA_ERROR;
        const char *slash = strrchr(r->dir, '/');
        OWNED char *lost = u ? NULL : attempt_last_reason(r->dir, r->plan->units[i].id);
        const char *message = u ? u->message : lost;
        if (v != VERDICT_PASS && v != VERDICT_SKIPPED)
            strbuf_addf(failures, "%s: %s of the reference: %s%s%s\n", slash ? slash + 1 : r->dir,
                        r->assignment->tiers[r->plan->units[i].tier].name, verdict_name(v),
                        message && *message ? ": " : "", message ? message : "");
    }
}

/* 0; -1: the history failed; 1: the results cannot be read. */
static int add(struct store *s, const struct run *r, bool only_new, struct strbuf *failures,
               size_t *added, struct err *e)
{
    FREED_BY(results_free) struct results res = {0};
    struct err why = ERR_INIT;
    if (results_load(r, &res, &why) < 0) {
        *e = why;
        return 1;
    }
    int rc = 0;
    const int known = only_new ? history_has(s, r, e) : 0;
    if (known < 0)
        rc = -1;
    else if (!known && (rc = history_add(s, r, &res, NULL, e)) == 0 && added)
        ++*added;
    if (rc == 0 && failures)
        describe(r, &res, failures);
    return rc;
}

int nightly_add(struct store *s, const struct run *r, struct err *e)
{
    return add(s, r, false, NULL, NULL, e) == 0 ? 0 : -1;
}

static bool is_finished(const char *dir)
{
    OWNED char *receipts = rundir_receipts(dir);
    return fs_exists(receipts);
}

/* Call `each` with every night of the reports. */
static int for_nights(const char *reports, int (*each)(const char *dir, const char *name, void *),
                      void *with, struct err *e)
{
    char *all = xasprintf("%s/nightly", reports), **names;
    size_t count;
    int rc = 0;
    struct err why = ERR_INIT;
    if (fs_list(all, &names, &count, &why) == 0) {
        for (size_t i = 0; i < count && rc == 0; i++) {
            OWNED char *dir = xasprintf("%s/%s", all, names[i]);
            if (is_night(names[i]))
                rc = each(dir, names[i], with);
        }
        fs_list_free(names, count);
    } else if (why.file_error != ENOENT) { /* there need not be a night */
        *e = why;
        rc = -1;
    }
    free(all);
    return rc;
}

struct adding {
    struct store *store;
    const char *night;
    struct strbuf *failures;
    size_t *added;
    struct err *e;
};

/* A run that cannot be read must not keep the times of the others away. */
static void note_unreadable(const struct adding *a, const char *night, const char *node,
                            const struct err *why)
{
    strbuf_addf(a->failures,
                "%s/%s: cannot be read, so its times are missing: %s. Remove it, or restore it "
                "from a copy\n",
                night, node, why->text);
}

static int add_night(const char *dir, const char *night, void *with)
{
    const struct adding *a = with;
    const bool now = a->night && strcmp(dir, a->night) == 0;
    OWNED_TEXTS char **names = NULL;
    size_t count;
    int rc = 0;
    struct err why = ERR_INIT;
    if (fs_list(dir, &names, &count, &why) != 0) {
        note_unreadable(a, night, "", &why);
        return 0;
    }
    for (size_t i = 0; i < count && rc == 0; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        struct run r;
        why = (struct err)ERR_INIT;
        const bool finished = is_finished(path);
        if (finished && run_open(path, &r, &why) != 0) {
            note_unreadable(a, night, names[i], &why);
        } else if (finished) {
            rc = add(a->store, &r, true, now ? a->failures : NULL, a->added, &why);
            run_close(&r);
            if (rc > 0)
                note_unreadable(a, night, names[i], &why);
            else if (rc < 0)
                *a->e = why;
            rc = rc < 0 ? -1 : 0;
        }
    }
    return rc;
}

int nightly_add_all(struct store *s, const char *reports, const char *night,
                    struct strbuf *failures, size_t *added, struct err *e)
{
    struct adding a = {s, night, failures, added, e};
    *added = 0;
    return for_nights(reports, add_night, &a, e);
}

struct pruning {
    char *before;
    struct strbuf *failures;
};

static int prune_one(const char *dir, const char *name, void *with)
{
    const struct pruning *p = with;
    struct err why = ERR_INIT;
    if (strcmp(name, p->before) < 0 && fs_remove_tree(dir, &why) != 0)
        strbuf_addf(p->failures, "%s\n", why.text);
    return 0;
}

void nightly_prune(const char *reports, long days, struct strbuf *failures)
{
    struct pruning p = {stamp(time(NULL) - (time_t)days * SECONDS_A_DAY), failures};
    struct err e = ERR_INIT;
    if (for_nights(reports, prune_one, &p, &e) != 0)
        strbuf_addf(failures, "old nights cannot be removed: %s\n", e.text);
    free(p.before);
}
