#include "plan/starter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "model/source_name.h"
#include "plan/stub.h"
#include "plan/unwritten.h"

enum { SOURCE_MOST = 4 << 20, INTERFACE_LINES = 6, MODE_READABLE = 0644 };

struct starting {
    const struct starter_request *q;
    unsigned written, kept;
};

/* With an adapter, the instructor's source says in its first lines which function it calls. */
static int add_interface(struct strbuf *to, const struct tier *t, struct err *e)
{
    OWNED char *text = NULL;
    strbuf_addf(to, "/*\n * %s - " UNWRITTEN_MARK ". Write what the grader's adapter calls:\n *\n",
                t->name);
    if (fs_read(t->adapter, SOURCE_MOST, &text, NULL, e) != 0)
        return -1;
    const char *line = text;
    for (int i = 0; i < INTERFACE_LINES; i++) {
        const int n = (int)strcspn(line, "\n"), skip = (int)strspn(line, "/* ");
        if (skip >= n || !skip || strncmp(line + skip, "Lines:", 6) == 0)
            break;
        char *words = xasprintf("%.*s", n - skip, line + skip), *end = strstr(words, "*/");
        if (end)
            *end = '\0';
        strbuf_addf(to, " *   %s\n", words);
        line = end ? "" : line + n + (line[n] == '\n');
        free(words);
    }
    strbuf_adds(to, " */\n");
    return 0;
}

/* --- files ------------------------------------------------------------------------------------ */

static int write_new(struct starting *s, const char *name, const char *text, size_t len,
                     struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", s->q->dir, name);
    int rc = 0;
    if (fs_exists(path)) {
        s->kept++;
    } else if ((rc = fs_mkdirs_for(path, e)) == 0 &&
               (rc = fs_write_unsynced(path, text, len, e)) == 0) {
        chmod(path, MODE_READABLE);
        s->written++;
    }
    return rc;
}

/* A file of the grader or of the instructor. 1: it is not there. */
static int copy_new(struct starting *s, const char *from, const char *name, struct err *e)
{
    OWNED char *text = NULL;
    size_t len;
    if (!fs_exists(from))
        return 1;
    if (fs_read(from, SOURCE_MOST, &text, &len, e) != 0)
        return -1;
    return write_new(s, name, text, len, e);
}

/* As the template has it, which may be without the directory of the assignment. */
static int from_template(struct starting *s, const char *name, struct err *e)
{
    const char *dir = s->q->a->template, *slash = strrchr(name, '/');
    int rc = 1;
    for (int i = 0; dir && i < 2 && rc == 1; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, i && slash ? slash + 1 : name);
        rc = copy_new(s, path, name, e);
    }
    return rc;
}

/* A kernel from a file has no header that is installed. */
static int write_own_header(struct starting *s, const struct kernel *k, const char *name,
                            struct err *e)
{
    OWNED char *text = kernel_file_header(k->file);
    return write_new(s, name, text, strlen(text), e);
}

/* Beside a source. All tiers of a directory have one. */
static int write_header(struct starting *s, const struct tier *t, struct err *e)
{
    const char *source = t->sources[0], *slash = strrchr(source, '/');
    OWNED char *part = xasprintf("include/paragrade/%s.h", t->kernel->problem);
    OWNED char *header = install_path(part);
    OWNED char *beside =
        xasprintf("%.*s%s.h", slash ? (int)(slash - source + 1) : 0, source, t->kernel->problem);
    OWNED char *path = xasprintf("%s/%s", s->q->dir, beside);
    const int rc = fs_exists(path)   ? 0
                   : t->kernel->file ? write_own_header(s, t->kernel, beside, e)
                                     : copy_new(s, header, beside, e);
    return rc < 0 ? -1 : 0;
}

static int write_tier(struct starting *s, const struct tier *t, struct err *e)
{
    int rc = from_template(s, t->sources[0], e);
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    /* In another language, only the instructor's template can say how to begin. */
    if (rc == 1 && (t->adapter || source_is_code(t->sources[0]))) {
        rc = t->adapter ? add_interface(&text, t, e) : (stub_add(&text, t, t->sources[0]), 0);
        if (rc == 0)
            rc = write_new(s, t->sources[0], text.s, text.len, e);
    }
    return rc >= 0 ? write_header(s, t, e) : -1;
}

static bool is_wanted(const struct starter_request *q, const struct tier *t)
{
    if (t->reference_only)
        return false;
    for (size_t i = 0; i < q->tiers_count; i++)
        if (strcmp(q->tiers[i], t->name) == 0)
            return true;
    return !q->tiers_count;
}

/* The comments stand in one column. */
static void add_commands(struct strbuf *sb, const char *source, const char *tier)
{
    OWNED char *one = xasprintf("paragrade check %s", source),
               *again = xasprintf("paragrade replay %s", tier);
    const struct {
        const char *command, *comment;
    } rows[] = {{one, "this tier alone; the assignment is known now"},
                {"paragrade check --lf -x --watch", "again after each change: what failed last"},
                {"paragrade check --full", "as in grading"},
                {again, "the smallest case that failed, again"},
                {"paragrade help check", "what else there is"}};
    const size_t n = sizeof rows / sizeof rows[0];
    int width = 0;
    for (size_t i = 0; i < n; i++)
        width = (int)strlen(rows[i].command) > width ? (int)strlen(rows[i].command) : width;
    for (size_t i = 0; i < n; i++)
        strbuf_addf(sb, "    %-*s  # %s\n", width, rows[i].command, rows[i].comment);
}

static int write_readme(struct starting *s, const struct tier *one, struct err *e)
{
    const struct assignment *a = s->q->a;
    const char *slash = strrchr(one->sources[0], '/');
    OWNED char *path = fs_absolute(s->q->path), *shown = display_quoted(path);
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    strbuf_addf(&text,
                "# %s\n\n"
                "Write the functions in the sources, one for each tier: %s.h says what they get. "
                "Hand in this directory.\n\n"
                "    paragrade check -a %s\n",
                a->title, one->kernel->problem, shown);
    add_commands(&text, slash ? slash + 1 : one->sources[0], one->name);
    return write_new(s, "README.md", text.s, text.len, e);
}

static int check_tiers(const struct starter_request *q, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT;
    int rc = 0;
    for (unsigned i = 0; i < q->a->tiers_count; i++)
        if (!q->a->tiers[i].reference_only)
            strbuf_addf(&names, "%s%s", names.len ? ", " : "", q->a->tiers[i].name);
    for (size_t i = 0; i < q->tiers_count && rc == 0; i++) {
        const int t = assignment_tier(q->a, q->tiers[i]);
        char hint[SIMILAR_HINT];
        similar_hint(q->tiers[i], names.s, hint);
        if (t < 0 || q->a->tiers[t].reference_only)
            rc = err_input(e, "there is no tier '%s'%s; the assignment has %s", q->tiers[i], hint,
                           names.s);
    }
    return rc;
}

int starter_write(const struct starter_request *q, unsigned *written, unsigned *kept, struct err *e)
{
    struct starting s = {.q = q};
    const struct tier *one = NULL;
    int rc = check_tiers(q, e);
    for (unsigned i = 0; i < q->a->tiers_count && rc == 0; i++) {
        const struct tier *t = &q->a->tiers[i];
        if (!is_wanted(q, t))
            continue;
        one = one ? one : t;
        rc = write_tier(&s, t, e);
    }
    if (rc == 0 && one)
        rc = write_readme(&s, one, e);
    *written = s.written;
    *kept = s.kept;
    return rc;
}
