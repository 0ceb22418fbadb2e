#include "plan/snapshot.h"

#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/identifier.h"
#include "base/tree.h"
#include "model/source_name.h"
#include "model/unit_sources.h"

/* Headers and further sources of one submission: so many, and as large as so many sources. */
enum { SHARED_MOST = 200, SHARED_SOURCES = 4 };

/* Files of a submission that are not taken: each is named, up to so many. */
enum { LEFT_OUT_SHOWN = 10 };

struct left_out {
    struct strbuf *notes;
    const char *submission;
    size_t count;
};

void plan_note(struct strbuf *notes, const char *fmt, const char *a, const char *b)
{
    if (!notes)
        return;
    OWNED char *ea = identifier_path(a), *eb = identifier_path(b);
    strbuf_addf(notes, fmt, ea, eb);
    strbuf_adds(notes, "\n");
}

static void leave_out(struct left_out *l, const char *fmt, const char *name)
{
    if (l->count++ < LEFT_OUT_SHOWN)
        plan_note(l->notes, fmt, l->submission, name);
}

static void leave_out_end(const struct left_out *l)
{
    OWNED char *more = xasprintf("%zu", l->count - LEFT_OUT_SHOWN);
    if (l->count > LEFT_OUT_SHOWN)
        plan_note(l->notes, "%s: %s more files left out", l->submission, more);
}

/* A header, or a further source of some tier. */
static bool is_shared(const struct assignment *a, const char *name)
{
    bool shared = source_is_header(name);
    for (unsigned t = 0; t < a->tiers_count; t++)
        shared = shared || tier_adds_source(&a->tiers[t], name);
    return shared && !source_is_adapter(name);
}

/* A further source but for its name, which the compiler could take for something else. */
static bool is_misnamed(const struct assignment *a, const char *name)
{
    bool named = false;
    for (unsigned t = 0; t < a->tiers_count; t++)
        named = named || tier_names_source(&a->tiers[t], name);
    return named && !is_shared(a, name);
}

/* Copy a file of at most `most` bytes, and at most *room, which becomes less. */
static int copy_shared(const char *from, const char *name, const char *to, size_t most,
                       size_t *room, struct err *e)
{
    struct stat st;
    if (tree_copy_below(from, name, to, most < *room ? most : *room, e) != 0)
        return -1;
    OWNED char *copy = xasprintf("%s/%s", to, name);
    if (stat(copy, &st) == 0)
        *room -= (size_t)st.st_size < *room ? (size_t)st.st_size : *room;
    return 0;
}

/* What lies in the directory of the assignment. Without a directory, or where the reference does
 * without it: everything. */
static int list_shared(const struct snapshot_from *from, const struct assignment *a, char ***names,
                       size_t *count, struct err *e)
{
    struct err none = ERR_INIT;
    if (tree_list_below(from->dir, a->directory, SUBMISSION_FILES_MOST, names, count, &none) == 0)
        return 0;
    if (from->reference && *a->directory && none.kind == ERR_INPUT)
        return tree_list(from->dir, SUBMISSION_FILES_MOST, names, count, e);
    *e = none;
    return -1;
}

int snapshot_shared(const struct snapshot_from *shared, const char *to, const struct assignment *a,
                    struct strbuf *notes, struct err *e)
{
    const char *from = shared->dir, *submission = shared->submission;
    char **names;
    size_t count, taken = 0, room = SHARED_SOURCES * (size_t)a->limits.source_bytes;
    struct err unlisted = ERR_INIT;
    struct left_out left_out = {notes, submission, 0};
    if (list_shared(shared, a, &names, &count, &unlisted) != 0) {
        if (unlisted.kind == ERR_INPUT)
            return 0;
        *e = unlisted;
        return -1;
    }
    if (count == SUBMISSION_FILES_MOST)
        plan_note(notes, "%s: holds more files than are looked at; remove what is not handed in%s",
                  submission, "");
    int rc = 0;
    for (size_t i = 0; i < count && rc == 0; i++) {
        struct err why = ERR_INIT;
        if (is_misnamed(a, names[i]))
            leave_out(
                &left_out,
                "%s: %s left out: names of sources may have letters, digits and . _ + - only, "
                "and not start with -",
                names[i]);
        if (!is_shared(a, names[i]))
            continue;
        if (taken >= SHARED_MOST)
            leave_out(&left_out, "%s: %s left out: there are too many such files", names[i]);
        else if (copy_shared(from, names[i], to, a->limits.source_bytes, &room, &why) == 0)
            taken++;
        else if (why.kind == ERR_INPUT) /* the compiler will say that it is missing */
            leave_out(&left_out,
                      "%s: %s left out: a link to a file elsewhere, not a regular file, or too "
                      "large, alone or with the others; the file itself belongs there",
                      names[i]);
        else
            rc = -1;
        if (rc != 0)
            *e = why;
    }
    leave_out_end(&left_out);
    fs_list_free(names, count);
    return rc;
}

int snapshot_source(const char *from, const char *to, size_t max, struct choice *c, struct err *e)
{
    OWNED char *dst = xasprintf("%s/%s", to, c->source);
    struct err why = ERR_INIT;
    int rc = 0;
    /* Two tiers may accept the same file name: the copy is there already. */
    if (!fs_exists(dst) && tree_copy_below(from, c->source, to, max, &why) != 0) {
        if (why.kind == ERR_INPUT) {
            const char *text = strrchr(why.text, ':'); /* without the path: it may be anything */
            choice_settle(c, VERDICT_MISSING,
                          xasprintf("%s cannot be read%s", c->source, text ? text : ""));
            c->source = NULL;
        } else {
            *e = why;
            rc = -1;
        }
    }
    return rc;
}
