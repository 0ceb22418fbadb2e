#include "import/attempt.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/hash.h"
#include "base/identifier.h"
#include "base/names.h"
#include "base/strbuf.h"
#include "import/attempt_commits.h"
#include "import/submission_metadata.h"

/* --- ids -------------------------------------------------------------------------------------- */

enum { SLUG_MOST = 48 };

/* Letters, digits, '.' and '_'; everything else becomes one '-' between them. */
static char *slug(const char *s)
{
    struct strbuf sb = STRBUF_INIT;
    for (; *s && sb.len < SLUG_MOST; s++) {
        if (identifier_char(*s) && *s != '-' && !(sb.len == 0 && *s == '.'))
            strbuf_add(&sb, s, 1);
        else if (sb.len && sb.s[sb.len - 1] != '-')
            strbuf_adds(&sb, "-");
    }
    while (sb.len && sb.s[sb.len - 1] == '-')
        sb.s[--sb.len] = '\0';
    return strbuf_detach(&sb);
}

char *attempt_id(const char *name, const char *platform_id)
{
    const char *key = *platform_id ? platform_id : name;
    OWNED char *first = *platform_id ? slug(name) : xstrdup(""), *last = slug(key);
    char hash[HASH_HEX];
    hash_bytes(key, strlen(key), hash);
    /* Two ids that differ must not become the same. */
    const bool changed = strcmp(last, key) != 0;
    return xasprintf("%s%s%s%s%.6s", first, *first && *last ? "-" : "", last,
                     changed && (*first || *last) ? "-" : "", changed ? hash : "");
}

/* --- grouping --------------------------------------------------------------------------------- */

struct grouping {
    const struct source *source;
    size_t order;
    const struct attempt_request *q;
    struct attempts *out;
    size_t first; /* attempt of this source */
    struct remarks *remarks;
};

static char *copy(const char *s)
{
    return xstrdup(s ? s : "");
}

static struct attempt *new_attempt(struct grouping *g, const char *name, const char *platform_id)
{
    struct attempts *a = g->out;
    a->item = xrealloc_array(a->item, a->count + 1, sizeof *a->item);
    a->item[a->count] = (struct attempt){
        .id = attempt_id(name, platform_id),
        .name = copy(name),
        .email = xstrdup(""),
        .platform_id = copy(platform_id),
        .source = g->source,
        .order = g->order,
        .checked_out = true,
    };
    return &a->item[a->count++];
}

/* An earlier version of the same file in one download. Returns true if `h` is the earlier one. */
static bool older_version(struct grouping *g, struct attempt *a, const struct handed_in *h,
                          const char *path)
{
    for (size_t i = 0; g->source->naming.scheme == SCHEME_CANVAS && i < a->files; i++) {
        struct attempt_file *f = &a->file[i];
        if (strcmp(f->file, h->file) != 0)
            continue;
        const bool older = h->number < f->number;
        remark(g->remarks, "%s: %s: left out: an earlier version of %s", g->source->shown,
               older ? path : f->path, h->file);
        if (!older) {
            f->path = path;
            f->number = h->number;
        }
        return true;
    }
    return false;
}

static void add_file(struct grouping *g, struct attempt *a, const struct handed_in *h,
                     const char *path)
{
    a->late |= h->late;
    a->number = h->number > a->number ? h->number : a->number;
    if (!*h->file || older_version(g, a, h, path))
        return;
    a->file = xrealloc_array(a->file, a->files + 1, sizeof *a->file);
    a->file[a->files++] = (struct attempt_file){path, xstrdup(h->file), h->number};
}

static bool ends_with(const char *path, const char *end)
{
    const size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

/* What platforms add: nobody handed it in. */
static bool is_of_platform(const struct naming *n, const char *path)
{
    return ends_with(path, "/.git") || strstr(path, "submission_metadata.yml") ||
           (n->scheme == SCHEME_BRIGHTSPACE && ends_with(path, "index.html"));
}

/* A directory and an archive, or two archives, with the name of one student. */
static int check_directory(const struct grouping *g, const struct attempt *a, const char *path,
                           struct err *e)
{
    if (g->source->naming.scheme != SCHEME_DIRECTORIES || !a->files)
        return 0;
    const char *first = a->file[0].path;
    const size_t n = strcspn(first, "/"), m = strcspn(path, "/");
    if (n == m && strncmp(first, path, n) == 0)
        return 0;
    return err_input(e, "%s: '%.*s' and '%.*s' are both of the student %s; keep one of them",
                     g->source->shown, (int)n, first, (int)m, path, a->platform_id);
}

/* The students or submissions that the names tell apart. */
struct keys {
    struct names seen; /* with the number of the attempt */
    char **key;
    size_t count;
};

/* The attempt of a student; a new one for a new student, or at another time. */
static struct attempt *attempt_of(struct grouping *g, struct keys *k, const struct handed_in *h)
{
    char *key =
        h->timed ? xasprintf("%s/%lld", h->student, (long long)h->submitted) : xstrdup(h->student);
    const long long at = names_find(&k->seen, key);
    if (at != NAMES_NONE) {
        free(key);
        return &g->out->item[at];
    }
    k->key = xrealloc_array(k->key, k->count + 1, sizeof *k->key);
    k->key[k->count++] = key;
    names_add(&k->seen, key, g->out->count);
    struct attempt *a = new_attempt(g, h->name, h->student);
    a->timed = h->timed;
    a->submitted = h->submitted;
    return a;
}

/* Somebody whose directory is there, but without any file, has handed in nothing. */
static void group_empty(struct grouping *g, struct keys *k)
{
    for (size_t i = 0; i < g->source->empties; i++) {
        FREED_BY(handed_in_free) struct handed_in h = {0};
        if (!scheme_read_empty(&g->source->naming, g->source->empty[i], &h))
            continue; /* no submission, such as a directory with notes */
        struct attempt *a = attempt_of(g, k, &h);
        if (!a->files)
            add_file(g, a, &h, g->source->empty[i]);
    }
}

/* One attempt for each student or submission that the names tell apart. */
static int group_files(struct grouping *g, struct err *e)
{
    struct keys keys = {.seen = NAMES_INIT};
    int rc = 0;
    for (size_t i = 0; i < g->source->count && rc == 0; i++) {
        const char *path = g->source->path[i];
        FREED_BY(handed_in_free) struct handed_in h = {0};
        if (!scheme_read(&g->source->naming, path, &h)) {
            if (!is_of_platform(&g->source->naming, path))
                remark(g->remarks, "%s: %s: left out: not named as %s names what is handed in",
                       g->source->shown, path, scheme_names[g->source->naming.scheme]);
            continue;
        }
        struct attempt *a = attempt_of(g, &keys, &h);
        rc = check_directory(g, a, path, e);
        if (rc == 0)
            add_file(g, a, &h, path);
    }
    group_empty(g, &keys);
    names_free(&keys.seen);
    fs_list_free(keys.key, keys.count);
    return rc;
}

/* --- Gradescope ------------------------------------------------------------------------------- */

static void copy_files(struct attempt *to, const struct attempt *from)
{
    to->files = from->files;
    to->file = xcalloc(from->files + 1, sizeof *to->file);
    for (size_t i = 0; i < from->files; i++)
        to->file[i] = (struct attempt_file){from->file[i].path, xstrdup(from->file[i].file),
                                            from->file[i].number};
}

static void set_text(char **field, const char *text)
{
    free(*field);
    *field = xstrdup(text);
}

static void set_submitter(struct attempt *a, const struct submitter *s)
{
    const char *key = *s->sid ? s->sid : *s->email ? s->email : s->number;
    free(a->id);
    a->id = attempt_id(s->name, key);
    set_text(&a->platform_id, *s->sid ? s->sid : s->number);
    set_text(&a->name, s->name);
    set_text(&a->email, s->email);
    a->timed = s->timed;
    a->submitted = s->created;
}

/* The attempts are known by the numbers of submissions so far. Each member of a group gets a copy.
 */
static void name_submitters(struct grouping *g, const struct submission_metadata *m)
{
    const size_t end = g->out->count;
    FREED_BY(names_free) struct names numbers = NAMES_INIT;
    for (size_t i = 0; i < m->count; i++)
        names_add(&numbers, m->item[i].number, i);
    for (size_t i = g->first; i < end; i++) {
        OWNED char *number = xstrdup(g->out->item[i].platform_id);
        const long long found = names_find(&numbers, number);
        if (found == NAMES_NONE)
            remark(g->remarks,
                   "%s: submission_%s: submission_metadata.yml does not say whose it is",
                   g->source->shown, number);
        bool first = true;
        for (size_t k = found == NAMES_NONE ? m->count : (size_t)found;
             k < m->count && strcmp(m->item[k].number, number) == 0; k++) {
            struct attempt *a = &g->out->item[i];
            if (!first) {
                a = new_attempt(g, "", number);
                a->number = g->out->item[i].number;
                copy_files(a, &g->out->item[i]);
            }
            first = false;
            set_submitter(a, &m->item[k]);
        }
    }
}

static int read_gradescope(struct grouping *g, struct err *e)
{
    const struct source *s = g->source;
    const char *dir = s->path[0];
    for (unsigned i = 0; i < s->naming.depth && dir; i++) {
        dir = strchr(dir, '/');
        dir += dir != NULL;
    }
    OWNED char *path = xasprintf("%s/%.*ssubmission_metadata.yml", s->root,
                                 dir ? (int)(dir - s->path[0]) : 0, s->path[0]);
    FREED_BY(submission_metadata_free) struct submission_metadata m = {0};
    int rc = 0;
    if (!fs_exists(path))
        remark(
            g->remarks,
            "%s: has no submission_metadata.yml: no names, no times; the submissions are named by "
            "their numbers",
            s->shown);
    else
        rc = submission_metadata_read(path, &m, e);
    if (rc == 0 && m.count)
        name_submitters(g, &m);
    return rc;
}

/* --- all -------------------------------------------------------------------------------------- */

int attempts_read(const struct source *s, size_t order, const struct attempt_request *q,
                  struct attempts *out, struct remarks *r, struct err *e)
{
    struct grouping g = {s, order, q, out, out->count, r};
    if (group_files(&g, e) != 0)
        return -1;
    if (s->naming.scheme == SCHEME_GRADESCOPE)
        return read_gradescope(&g, e);
    return s->naming.scheme == SCHEME_GITHUB ? attempt_commits_read(out, g.first, q, r, e) : 0;
}

void attempts_free(struct attempts *a)
{
    for (size_t i = 0; i < a->count; i++) {
        struct attempt *x = &a->item[i];
        for (size_t k = 0; k < x->files; k++)
            free(x->file[k].file);
        free(x->file);
        free(x->id);
        free(x->name);
        free(x->email);
        free(x->platform_id);
        free(x->repository);
    }
    free(a->item);
    *a = (struct attempts){0};
}

/* --- which one counts ------------------------------------------------------------------------- */

bool attempt_too_late(const struct attempt *a, const int64_t *deadline)
{
    return deadline && (a->timed ? a->submitted > *deadline : a->late);
}

/* Negative: x was handed in before y. */
static int in_time_order(const struct attempt *x, const struct attempt *y)
{
    if (x->timed && y->timed && x->submitted != y->submitted)
        return x->submitted < y->submitted ? -1 : 1;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int by_id(const void *a, const void *b, void *arg)
{
    const struct attempt *x = a, *y = b;
    const int64_t *deadline = arg;
    const int ids = strcmp(x->id, y->id);
    const int late = attempt_too_late(x, deadline) - attempt_too_late(y, deadline);
    return ids ? ids : late ? late : -in_time_order(x, y);
}

void attempts_sort(struct attempts *a, const int64_t *deadline)
{
    int64_t copy_of = deadline ? *deadline : 0;
    if (a->count)
        qsort_r(a->item, a->count, sizeof *a->item, by_id, deadline ? &copy_of : NULL);
}
