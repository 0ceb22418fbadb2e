#include "plan/source_choice.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/identifier.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "model/source_name.h"
#include "model/unit_sources.h"
#include "rundir/paths.h"

void choice_settle(struct choice *c, enum verdict v, char *message)
{
    c->preset = true;
    c->verdict = v;
    c->message = message;
}

/* How many names there are, the first ones of t->sources. */
static unsigned names_of(const struct tier *t, bool reference)
{
    return reference ? t->sources_count : t->sources_handed_in;
}

static char *accepted_names(const struct tier *t, bool reference)
{
    struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < names_of(t, reference); i++)
        strbuf_addf(&sb, "%s%s", i ? " or " : "", t->sources[i]);
    return strbuf_detach(&sb);
}

/* Is this what people and browsers add to the name of a copy: "naive (1).c", "naive - Copy.c"? */
static bool is_copy_mark(const char *p, size_t n)
{
    static const char *const words[] = {"copy", "final", "new"};
    for (const char *end = p + n; p < end;) {
        size_t word = strspn(p, " ()-_0123456789");
        for (size_t i = 0; !word && i < sizeof words / sizeof words[0]; i++)
            if (strncasecmp(p, words[i], strlen(words[i])) == 0)
                word = strlen(words[i]);
        if (!word)
            return false;
        p += word;
    }
    return true;
}

/* Does the name look like another one for this source: naive.cc, "naive (1).c", naive.c.txt? */
static bool is_other_name(const char *name, const char *source)
{
    const size_t whole = strlen(source), stem = strcspn(source, ".");
    if (strncasecmp(name, source, whole) == 0 && name[whole] == '.')
        return true;
    const size_t n = strcspn(name, ".");
    return source_is_code(name) && n >= stem && strncasecmp(name, source, stem) == 0 &&
           is_copy_mark(name + stem, n - stem);
}

/* Is it a typing error: naiv.c? */
static bool is_misspelt(const char *name, const char *source)
{
    OWNED char *stem = xasprintf("%.*s", (int)strcspn(source, "."), source),
               *typed = xasprintf("%.*s", (int)strcspn(name, "."), name);
    unsigned least = UINT_MAX;
    return source_is_code(name) && similar_more(typed, stem, &least);
}

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool in_same_directory(const char *a, const char *b)
{
    const size_t n = (size_t)(base_of(a) - a);
    return n == (size_t)(base_of(b) - b) && strncmp(a, b, n) == 0;
}

/* What a file that is there has to do with a tier whose source is missing, or NULL. The caller
 * frees it. */
static char *advice(const struct tier *t, const char *name)
{
    for (unsigned i = 0; i < t->sources_handed_in; i++) {
        const char *source = t->sources[i], *is = base_of(name), *wanted = base_of(source);
        if (!in_same_directory(name, source)) {
            if (strcmp(is, wanted) == 0)
                return wanted == source ? xstrdup("the file must lie directly in the directory")
                                        : xasprintf("it must be %s", source);
        } else if (strcasecmp(is, wanted) == 0) {
            return xstrdup("upper and lower case matter");
        } else if (is_other_name(is, wanted)) {
            return xstrdup(source_is_cxx(is) && !t->compile_cxx ? "this tier takes only C"
                                                                : "rename it");
        } else if (is_misspelt(is, wanted)) {
            return xstrdup("rename it, if it is meant");
        }
    }
    return !strchr(name, '/') && source_is_archive(name) ? xstrdup("unpack it") : NULL;
}

/* A name for people: as it is if a line of text can hold it. The caller frees it. */
static char *shown_name(const char *name)
{
    for (const char *p = name; *p; p++)
        if (*p < ' ' || *p > '~')
            return identifier_path(name);
    return xstrdup(name);
}

/* Is the name a source of some tier? Then it lies there for that one. */
static bool is_source(const struct assignment *a, const char *name)
{
    for (unsigned t = 0; t < a->tiers_count; t++)
        for (unsigned i = 0; i < a->tiers[t].sources_handed_in; i++)
            if (strcmp(a->tiers[t].sources[i], name) == 0)
                return true;
    return false;
}

/* Does it lie in a run, such as that of check --reports in the directory itself? */
static bool is_in_run(const char *dir, const char *name)
{
    static const char sources[] = "/sources/";
    const char *at = strstr(name, sources);
    if (!at)
        return false;
    OWNED char *run = xasprintf("%s/%.*s", dir, (int)(at - name), name), *plan = rundir_plan(run);
    return fs_exists(plan);
}

/* "; Naive.c is there: upper and lower case matter", or "". The caller frees it. */
static char *found_instead(const char *dir, const struct assignment *a, const struct tier *t)
{
    char **names, *text = NULL;
    size_t n;
    if (tree_list(dir, SUBMISSION_FILES_MOST, &names, &n, NULL) != 0)
        return xstrdup("");
    for (size_t i = 0; i < n && !text; i++) {
        OWNED char *why =
            is_source(a, names[i]) || is_in_run(dir, names[i]) ? NULL : advice(t, names[i]);
        OWNED char *shown = why ? shown_name(names[i]) : NULL;
        if (why)
            text = xasprintf("; %s is there: %s", shown, why);
    }
    fs_list_free(names, n);
    return text ? text : xstrdup("");
}

char *choice_place(const struct assignment *a)
{
    for (unsigned t = 0; t < a->tiers_count; t++)
        if (!a->tiers[t].reference_only && strchr(a->tiers[t].sources[0], '/'))
            return xasprintf("for example %s", a->tiers[t].sources[0]);
    return xstrdup("they must lie directly in it");
}

char *choice_near_miss(const char *dir, const struct assignment *a)
{
    char *text = xstrdup("");
    for (unsigned t = 0; t < a->tiers_count && !*text; t++) {
        if (a->tiers[t].reference_only)
            continue;
        free(text);
        text = found_instead(dir, a, &a->tiers[t]);
    }
    return text;
}

/* Is the name also one of an earlier tier? */
static bool listed_before(const struct assignment *a, unsigned tier, const char *name)
{
    for (unsigned t = 0; t < tier; t++)
        for (unsigned i = 0; i < a->tiers[t].sources_handed_in && !a->tiers[t].reference_only; i++)
            if (strcmp(a->tiers[t].sources[i], name) == 0)
                return true;
    return false;
}

char *choice_names(const struct assignment *a)
{
    struct strbuf sb = STRBUF_INIT;
    for (unsigned t = 0; t < a->tiers_count; t++)
        for (unsigned i = 0; i < a->tiers[t].sources_handed_in && !a->tiers[t].reference_only; i++)
            if (!listed_before(a, t, a->tiers[t].sources[i]))
                strbuf_addf(&sb, "%s%s", sb.len ? ", " : "", a->tiers[t].sources[i]);
    return strbuf_detach(&sb);
}

/* Another accepted name, after number `taken`, that is there as well. */
static const char *another_source(const char *dir, const struct tier *t, bool reference,
                                  unsigned taken)
{
    for (unsigned i = taken + 1; i < names_of(t, reference); i++) {
        OWNED char *path = xasprintf("%s/%s", dir, t->sources[i]);
        const bool there = fs_exists(path);
        if (there)
            return t->sources[i];
    }
    return NULL;
}

/* Judge one of the tier's file names. Nothing is settled if no such file is there. */
static int look_at(const char *dir, const char *name, const struct assignment *a, struct choice *c,
                   struct err *e)
{
    OWNED char *path = xasprintf("%s/%s", dir, name);
    struct stat st;
    const int there = fs_lstat(path, &st, e), why = errno;
    const int foreign = there == 1 ? tree_is_foreign_link(path, &st, e) : 0;
    if (there < 0 || foreign < 0)
        return -1;
    if (!there && why == ENOENT)
        return 0;
    if (!there)
        choice_settle(c, VERDICT_MISSING, xasprintf("%s: %s", name, strerror(why)));
    else if (S_ISLNK(st.st_mode))
        choice_settle(c, VERDICT_FORBIDDEN,
                      xasprintf("%s is a symbolic link; hand in the file itself", name));
    else if (!S_ISREG(st.st_mode))
        choice_settle(c, VERDICT_FORBIDDEN, xasprintf("%s is not a regular file", name));
    else if (foreign)
        choice_settle(c, VERDICT_FORBIDDEN,
                      xasprintf("%s is a hard link to a file of somebody else; copy it instead "
                                "of linking it",
                                name));
    else if ((uint64_t)st.st_size > a->limits.source_bytes)
        choice_settle(c, VERDICT_FORBIDDEN,
                      xasprintf("%s has %lld bytes; the limit is %llu", name, (long long)st.st_size,
                                (unsigned long long)a->limits.source_bytes));
    else
        c->source = name;
    return 0;
}

int choose_source(const char *dir, const struct assignment *a, const struct tier *t, bool reference,
                  struct choice *c, struct err *e)
{
    *c = (struct choice){0};
    for (unsigned i = 0; i < names_of(t, reference) && !c->source && !c->preset; i++) {
        if (look_at(dir, t->sources[i], a, c, e) != 0)
            return -1;
        if (c->source)
            c->unused = another_source(dir, t, reference, i);
    }
    if (!c->source && !c->preset) {
        OWNED char *names = accepted_names(t, reference), *instead = found_instead(dir, a, t);
        choice_settle(c, VERDICT_MISSING, xasprintf("there is no %s%s", names, instead));
        c->near_miss = *instead;
    }
    return 0;
}
