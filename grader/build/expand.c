#include "build/expand.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/pragmas.h"
#include "model/assignment.h"

enum {
    INCLUDES_MOST = 201, /* of GCC, and the source itself */
    EXPANDED_MOST = 64 << 20,
    EXPAND_MS = 10000,
};

char **expand_command(char *const *argv)
{
    size_t n = 0;
    while (argv[n])
        n++;
    char **out = xcalloc(n + 2, sizeof *out);
    n = 0;
    for (size_t i = 0; argv[i] && strcmp(argv[i], COMPILE_STEP) != 0; i++) {
        if (strcmp(argv[i], "-o") == 0 && argv[i + 1])
            i++;
        else
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

static bool lies_below(const char *file, const char *dir)
{
    const size_t n = strlen(dir);
    return file[0] != '/' ? file[0] != '<' : strncmp(file, dir, n) == 0 && file[n] == '/';
}

/* The lines of files below dir, and where each is from. */
struct part {
    struct strbuf text;
    struct strbuf places; /* "naive.c:12\n" for each line */
};

static void take_line(struct part *x, const char *line, size_t n, const char *file, unsigned at)
{
    strbuf_add(&x->text, line, n);
    strbuf_adds(&x->text, "\n");
    strbuf_addf(&x->places, "%s:%u\n", file, at);
}

static void keep_first(const struct pragma_hit *h, void *first)
{
    struct pragma_hit *f = first;
    if (h->change && !f->change)
        *f = *h;
}

/* The line with that number, from 1. */
static char *line_of(const char *text, unsigned number)
{
    while (--number && text)
        text = strchr(text, '\n') ? strchr(text, '\n') + 1 : NULL;
    return text ? xasprintf("%.*s", (int)strcspn(text, "\n"), text) : xstrdup("?");
}

static const char *relative(const char *file, const char *dir)
{
    return file[0] == '/' && lies_below(file, dir) ? file + strlen(dir) + 1 : file;
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

char *expand_find_change(const char *text, size_t n, const char *dir)
{
    struct part x = {STRBUF_INIT, STRBUF_INIT};
    struct open_files files = {.below = {true}};
    char *file = xstrdup("?"), *found = NULL;
    unsigned at = 1;
    for (const char *p = text, *end = text + n; p < end;) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const size_t length = (size_t)((newline ? newline : end) - p);
        struct marker m;
        if (read_marker(p, length, &m)) {
            follow(&files, &m, dir);
            free(file);
            file = m.file;
            at = m.line;
        } else {
            if (files.below[files.depth])
                take_line(&x, p, length, relative(file, dir), at);
            at++;
        }
        p += length + 1;
    }
    struct pragma_hit first = {0};
    pragmas_scan(x.text.s, x.text.len, keep_first, &first);
    if (first.change) {
        char *where = line_of(x.places.s, first.line);
        found =
            xasprintf("%s: %s, which a macro makes, changes the compiler's options of this tier",
                      where, first.change);
        free(where);
    }
    free(file);
    strbuf_free(&x.text);
    strbuf_free(&x.places);
    return found;
}

int expand_and_look(const struct proc_spec *base, char *const *argv, const char *dir, char **found,
                    struct err *e)
{
    char **words = expand_command(argv);
    struct proc_spec spec = *base;
    struct proc_result r = {0};
    spec.argv = words;
    spec.output_max = EXPANDED_MOST;
    spec.timeout_ms = EXPAND_MS;
    *found = NULL;
    const int rc = proc_run(&spec, &r, e);
    if (rc == 0 && proc_ok(&r))
        *found = expand_find_change(r.out.s, r.out.len, dir);
    proc_result_free(&r);
    proc_argv_free(words);
    return rc;
}
