#include "build/source_facts.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "build/pragmas.h"
#include "model/source_name.h"

enum { SHOWN = 3, FILES_MOST = 10000 };

struct search {
    char **names; /* of the files in the directory */
    bool *wanted; /* the source, and files that are included */
    bool *done;
    size_t count;
    const char *name; /* of the file that is being read */
    struct strbuf text;
    unsigned changes;
    bool device;
    struct source_facts *facts;
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Every file of that name, in whatever directory: which one an #include means depends on options.
 */
static void want(struct search *s, const char *path)
{
    for (size_t i = 0; i < s->count; i++)
        if (*path ? strcmp(last_part(s->names[i]), last_part(path)) == 0
                  : source_is_header(s->names[i]))
            s->wanted[i] = true;
}

/* Does the path lead out of the directory, from a file in it? */
static bool leads_out(const char *file, const char *path)
{
    int depth = 0;
    for (const char *p = strchr(file, '/'); p; p = strchr(p + 1, '/'))
        depth++;
    if (*path == '/')
        return true;
    for (const char *p = path; *p; p += strspn(p, "/")) {
        const size_t n = strcspn(p, "/");
        depth += n == 2 && strncmp(p, "..", 2) == 0 ? -1 : n == 1 && *p == '.' ? 0 : 1;
        if (depth < 0)
            return true;
        p += n;
    }
    return false;
}

static void note_include(struct search *s, const struct pragma_hit *h, bool adapter)
{
    if (!adapter && !s->facts->outside && leads_out(s->name, h->include))
        s->facts->outside = xasprintf("%s:%u %s %s, which is not handed in", s->name, h->line,
                                      h->asks ? "asks for" : "includes", h->include);
    if (!h->asks)
        want(s, h->include);
}

static void note_hit(const struct pragma_hit *h, void *arg)
{
    struct search *s = arg;
    const bool adapter = source_is_adapter(s->name); /* the instructor's; what it includes is not */
    if (h->include)
        note_include(s, h, adapter);
    if (!h->change || adapter || (h->evades && s->device))
        return;
    if (s->changes == 0)
        strbuf_addf(&s->text, "%s:%u: %s %s the compiler's options of this tier", s->name, h->line,
                    h->change, h->evades ? "evades" : "changes");
    else if (s->changes < SHOWN)
        strbuf_addf(&s->text, "%s%s:%u", s->changes == 1 ? " (also " : ", ", s->name, h->line);
    s->changes++;
}

static int scan_file(struct search *s, const char *dir, size_t max, struct err *e)
{
    char *path = xasprintf("%s/%s", dir, s->name), *text;
    size_t n;
    int rc = fs_read(path, max, &text, &n, e);
    if (rc == 0) {
        pragmas_scan(text, n, note_hit, s);
        free(text);
    }
    free(path);
    return rc;
}

/* The index of a file that is wanted and not read yet, or `count`. */
static size_t next_file(const struct search *s)
{
    size_t i = 0;
    while (i < s->count && (!s->wanted[i] || s->done[i]))
        i++;
    return i;
}

int source_facts_find(const char *dir, char *const *sources, size_t max, bool device,
                      struct source_facts *f, struct err *e)
{
    struct search s = {.text = STRBUF_INIT, .facts = f, .device = device};
    *f = (struct source_facts){0};
    if (tree_list(dir, FILES_MOST, &s.names, &s.count, e) != 0)
        return -1;
    s.wanted = xcalloc(s.count + 1, sizeof *s.wanted);
    s.done = xcalloc(s.count + 1, sizeof *s.done);
    for (size_t i = 0; sources[i]; i++)
        want(&s, sources[i]);
    int rc = 0;
    for (size_t i; rc == 0 && (i = next_file(&s)) < s.count;) {
        s.done[i] = true;
        s.name = s.names[i];
        rc = scan_file(&s, dir, max, e);
    }
    if (s.changes > SHOWN)
        strbuf_addf(&s.text, " and %u more", s.changes - SHOWN);
    if (s.changes > 1)
        strbuf_adds(&s.text, ")");
    if (rc == 0 && s.changes)
        f->change = strbuf_detach(&s.text);
    strbuf_free(&s.text);
    free(s.done);
    free(s.wanted);
    fs_list_free(s.names, s.count);
    return rc;
}
