#include "rundir/parts.h"

#include <fnmatch.h>
#include <stdarg.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"

static const struct {
    const char *pattern;
    enum part_kind kind;
    bool receipts;
} parts[] = {
#define PART(identifier, pattern, kind, format, receipts, owner) {pattern, KIND_##kind, receipts},
#include "rundir/parts.def"
#undef PART
};

enum part_kind part_kind(enum part p)
{
    return parts[p].kind;
}

bool part_in_receipts(enum part p)
{
    return parts[p].receipts;
}

char *part_path(const char *run, enum part p, ...)
{
    struct strbuf sb = STRBUF_INIT;
    va_list names;
    va_start(names, p);
    strbuf_addf(&sb, "%s/", run);
    for (const char *c = parts[p].pattern; *c; c++) {
        if (*c == '*')
            strbuf_adds(&sb, va_arg(names, const char *));
        else
            strbuf_add(&sb, c, 1);
    }
    va_end(names);
    return strbuf_detach(&sb);
}

const char *part_name(enum part p)
{
    const char *slash = strrchr(parts[p].pattern, '/');
    return slash ? slash + 1 : parts[p].pattern;
}

bool part_is_record(enum part p)
{
    return parts[p].kind == KIND_FILE && !strpbrk(parts[p].pattern, "*/");
}

bool part_has_name(enum part p, const char *name)
{
    return fnmatch(part_name(p), name, 0) == 0;
}

/* `*` and `**` as parts.def says. */
static bool fits(const char *pattern, const char *relative)
{
    const char *deep = strstr(pattern, "**");
    if (!deep)
        return fnmatch(pattern, relative, FNM_PATHNAME | FNM_NOESCAPE) == 0;
    OWNED char *top = xasprintf("%.*s*", (int)(deep - pattern), pattern);
    return fnmatch(top, relative, FNM_PATHNAME | FNM_NOESCAPE | FNM_LEADING_DIR) == 0;
}

static enum part part_of(const char *relative, bool directory)
{
    for (int p = 0; p < PART_COUNT; p++)
        if ((parts[p].kind == KIND_DIRECTORY) == directory && fits(parts[p].pattern, relative))
            return (enum part)p;
    return PART_COUNT;
}

static void visit(const char *run, const char *below, part_visitor *fn, void *arg)
{
    OWNED char *dir = xasprintf("%s/%s", run, below);
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (fs_list(dir, &names, &n, NULL) == 0) {
        for (size_t i = 0; i < n; i++) {
            OWNED char *relative = xasprintf("%s%s%s", below, *below ? "/" : "", names[i]);
            OWNED char *path = xasprintf("%s/%s", run, relative);
            if (part_of(relative, true) != PART_COUNT && fs_is_dir(path))
                visit(run, relative, fn, arg);
            else
                fn(arg, relative, part_of(relative, false));
        }
    }
}

void parts_visit(const char *run, part_visitor *fn, void *arg)
{
    visit(run, "", fn, arg);
}
