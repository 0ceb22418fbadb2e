#include "build/expand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/pragmas.h"
#include "model/assignment.h"
#include "model/source_name.h"

enum {
    INCLUDES_MOST = 201,    /* of GCC, and the source itself */
    SEARCHED_MOST = 8 << 20 /* in files below the directory */
};

static bool names(char *const *sources, const char *word)
{
    while (*sources && strcmp(*sources, word) != 0)
        sources++;
    return *sources;
}

char **expand_command(char *const *argv, char *const *sources, bool adapter)
{
    size_t n = 0;
    while (argv[n])
        n++;
    char **out = xcalloc(n + 2, sizeof *out);
    n = 0;
    for (size_t i = 0; argv[i] && strcmp(argv[i], COMPILE_STEP) != 0; i++) {
        if (strcmp(argv[i], "-o") == 0 && argv[i + 1])
            i++;
        else if (!names(sources, argv[i]) || source_is_adapter(argv[i]) == adapter)
            out[n++] = xstrdup(argv[i]);
    }
    out[n] = xstrdup("-E");
    return out;
}

/* A line that says where the following ones come from: # 12 "naive.c" 2. */
struct marker {
    unsigned line;
    char *file;
    bool enters, returns; /* a file that another one includes */
};

static bool read_marker(const char *line, size_t n, struct marker *m)
{
    const char *end = line + n, *p = line + 1;
    if (n < 4 || line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    *m = (struct marker){.line = (unsigned)strtoul(p, (char **)&p, 10)};
    const char *quote = memchr(p, '"', (size_t)(end - p));
    const char *close = quote ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
    if (!close)
        return false;
    m->file = xasprintf("%.*s", (int)(close - quote - 1), quote + 1);
    for (p = close + 1; p < end; p++) {
        m->enters = m->enters || *p == '1';
        m->returns = m->returns || *p == '2';
    }
    return true;
}

static bool starts_below(const char *file, const char *dir)
{
    const size_t n = strlen(dir);
    return file[0] != '/' ? file[0] != '<' : strncmp(file, dir, n) == 0 && file[n] == '/';
}

static void keep_first(const struct pragma_hit *h, void *first)
{
    struct pragma_hit *f = first;
    if (h->change && !f->change)
        *f = *h;
}

static void keep_first_for_device(const struct pragma_hit *h, void *first)
{
    if (!h->evades)
        keep_first(h, first);
}

static const char *relative(const char *file, const char *dir)
{
    return file[0] == '/' && starts_below(file, dir) ? file + strlen(dir) + 1 : file;
}

/* /proc/self/cwd is another name of the directory. */
static bool lies_below(const char *file, const char *dir)
{
    return starts_below(file, dir) || strstr(file, "/proc/");
}

/* The files that are open. A #line in one of them changes its name, and not whose it is. */
struct open_files {
    bool below[INCLUDES_MOST]; /* the directory; the outermost file is a source */
    int depth;
};

static void follow(struct open_files *f, const struct marker *m, const char *dir)
{
    if (m->enters && f->depth + 1 < INCLUDES_MOST)
        f->below[++f->depth] = lies_below(m->file, dir);
    else if (m->returns && f->depth > 0)
        f->depth--;
}

/* The lines of files below the directory, one after the other. */
struct reader {
    const char *p, *end, *dir;
    struct open_files files;
    char *file;          /* as the last marker says */
    const char *line;    /* the current one: not terminated */
    size_t n;            /* of its characters */
    unsigned at, number; /* of the current line, and of the next one */
};

static struct reader start(const char *text, size_t n, const char *dir, bool adapter)
{
    return (struct reader){.p = text,
                           .end = text + n,
                           .dir = dir,
                           .files = {.below = {!adapter}},
                           .file = xstrdup("?"),
                           .number = 1};
}

static bool next(struct reader *r)
{
    while (r->p < r->end) {
        const char *newline = memchr(r->p, '\n', (size_t)(r->end - r->p));
        struct marker m;
        r->line = r->p;
        r->n = (size_t)((newline ? newline : r->end) - r->p);
        r->p += r->n + 1;
        if (read_marker(r->line, r->n, &m)) {
            follow(&r->files, &m, r->dir);
            free(r->file);
            r->file = m.file;
            r->number = m.line;
            continue;
        }
        r->at = r->number++;
        if (r->files.below[r->files.depth])
            return true;
    }
    return false;
}

/* The place of a line among those that count, from 1. */
static char *place_of(struct reader r, unsigned number)
{
    while (number && next(&r))
        number--;
    char *place = xasprintf("%s:%u", relative(r.file, r.dir), r.at);
    free(r.file);
    return place;
}

char *expand_find_change(const char *text, size_t n, const char *dir, bool adapter, bool device)
{
    FREED_BY(strbuf_free) struct strbuf lines = STRBUF_INIT;
    struct reader r = start(text, n, dir, adapter);
    struct pragma_hit first = {0};
    char *place = NULL, *found = NULL;
    while (lines.len <= SEARCHED_MOST && next(&r)) {
        strbuf_add(&lines, r.line, r.n);
        strbuf_adds(&lines, "\n");
    }
    pragmas_scan(lines.s, lines.len, device ? keep_first_for_device : keep_first, &first);
    if (first.change) {
        place = place_of(start(text, n, dir, adapter), first.line);
        found = xasprintf("%s: %s, which a macro makes, %s the compiler's options of this tier",
                          place, first.change, first.evades ? "evades" : "changes");
    } else if (lines.len > SEARCHED_MOST) {
        found = xasprintf("%s: " EXPAND_TOO_LONG, relative(r.file, dir));
    }
    free(place);
    free(r.file);
    return found;
}
