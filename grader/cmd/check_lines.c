/* The failures of a submission as compilers write them, so that editors jump to the line. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/path_within.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/check_view.h"
#include "report/feedback.h"
#include "report/text.h"
#include "rundir/paths.h"

enum { SOURCE_MOST = 1 << 20 };

struct place {
    const char *given; /* the directory, as people may type it */
    char *source;      /* the tier's */
    long line;
};

/* "w/simd.c", as it can be opened from here. */
static char *path_of(const char *given, const char *file)
{
    return strcmp(given, ".") == 0 ? xstrdup(file) : xasprintf("%s/%s", given, file);
}

/* Is there "FILE:NUMBER" in the text? Messages about crashes and hidden mistakes name a line. */
static bool line_named(const char *text, const char *file, long *line)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    const size_t n = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += n)
        if (at[n] == ':' && isdigit((unsigned char)at[n + 1])) {
            *line = strtol(at + n + 1, NULL, 10);
            return true;
        }
    return false;
}

/* The same message without the place, which stands before it: "simd.c:7: unused variable", "in
 * gemm_i32 (simd.c:7); stopped". The caller frees it. */
static char *without_place(const char *text, const char *file, long line)
{
    const char *slash = strrchr(file, '/');
    OWNED char *place = xasprintf("%s:%ld", slash ? slash + 1 : file, line);
    const size_t n = strlen(place);
    const char *at = strstr(text, place), *rest = at ? at + n : text;
    char *out;
    if (at && at - text >= 2 && strncmp(at - 2, " (", 2) == 0 && *rest == ')')
        out = xasprintf("%.*s%s", (int)(at - text - 2), text, rest + 1);
    else if (at && strncmp(rest, ": ", 2) == 0 && (at == text || at[-1] == ' '))
        out = xasprintf("%.*s%s", (int)(at - text), text, rest + 2);
    else
        out = xstrdup(text);
    return out;
}

/* Where the function of the kernel begins in the source; 1 if it is not seen. */
static long function_line(const struct run *r, unsigned unit, const char *source)
{
    const struct unit *u = &r->plan->units[unit];
    const struct tier *t = &r->assignment->tiers[u->tier];
    OWNED char *dir = rundir_sources(r->dir, r->plan->submissions[u->submission].id);
    OWNED char *path = xasprintf("%s/%s", dir, source), *text = NULL;
    OWNED char *call = xasprintf("%s%s(", t->kernel->function, launch_kind_info(t->kind)->suffix);
    long line = 1, found = 1;
    if (fs_read(path, SOURCE_MOST, &text, NULL, NULL) == 0) {
        const char *at = strstr(text, call);
        for (const char *p = text; at && p < at; p++)
            line += *p == '\n';
        found = at ? line : 1;
    }
    return found;
}

static void print_line(const char *path, long line, const char *kind, const char *verdict,
                       const char *text)
{
    OWNED char *one = xasprintf("%s%s%s", verdict, *verdict && *text ? ": " : "", text);
    for (char *p = one; *p; p++)
        if (*p == '\n')
            *p = ' ';
    term_make_printable(one);
    printf("%s:%ld: %s: %s\n", path, line, kind, one);
}

/* The lines of the compiler that name a place, with the directory before the file. */
static unsigned print_build_log(const char *given, const char *log)
{
    unsigned n = 0;
    for (const char *line = log, *end; *line; line = end + (*end == '\n')) {
        end = line + strcspn(line, "\n");
        const char *colon = memchr(line, ':', (size_t)(end - line));
        if (!colon || colon == line || !isdigit((unsigned char)colon[1]) ||
            memchr(line, ' ', (size_t)(colon - line)))
            continue;
        OWNED char *text = xasprintf("%.*s", (int)(end - line), line);
        term_make_printable(text);
        OWNED char *path = line[0] == '/' ? xstrdup(text) : path_of(given, text);
        puts(path);
        n++;
    }
    return n;
}

static void print_remarks(const struct unit_result *u, const struct place *at)
{
    char **text;
    const unsigned n = feedback_remarks(u, &text);
    OWNED char *path = path_of(at->given, at->source);
    for (unsigned i = 0; i < n; i++) {
        long line = at->line;
        line_named(text[i], at->source, &line);
        OWNED char *message = without_place(text[i], at->source, line);
        print_line(path, line, "warning", "", message);
    }
    texts_free(text, n);
}

static void print_unit(const struct run *r, unsigned unit, const struct unit_result *u,
                       const char *given, const char *run_name)
{
    const struct unit *plan = &r->plan->units[unit];
    struct place at = {.given = given, .source = plan->source, .line = 1};
    if (!plan->source)
        return;
    OWNED char *path = path_of(given, plan->source);
    if (u->verdict == VERDICT_BUILD_ERROR && print_build_log(given, u->build_log))
        return;
    if (!line_named(u->message, plan->source, &at.line))
        at.line = function_line(r, unit, plan->source);
    print_remarks(u, &at);
    const struct case_result *first = unit_result_first_failure(u);
    OWNED char *message = without_place(u->message, plan->source, at.line);
    if (verdict_fault(u->verdict) == FAULT_STUDENT)
        print_line(path, at.line, u->verdict == VERDICT_MISSING ? "note" : "error",
                   verdict_name(u->verdict), message);
    if (verdict_fault(u->verdict) == FAULT_STUDENT && first) {
        OWNED char *again = feedback_replay(u, first, run_name);
        print_line(path, at.line, "note", "again", again);
    }
}

void check_lines_print(const struct run *r, const struct results *res, const char *given,
                       const char *run_name)
{
    for (unsigned i = 0; i < res->unit_count; i++)
        if (res->unit[i] && !r->plan->submissions[r->plan->units[i].submission].is_reference)
            print_unit(r, i, res->unit[i], given, run_name);
}
