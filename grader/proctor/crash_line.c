#include "proctor/crash_line.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "build/instruction_sets.h"
#include "build/source_line.h"
#include "model/source_name.h"
#include "proctor/unit_build.h"

/* A library with debugging information is not worth more time than this, nor more than this part of
 * what is left for the unit. */
enum { BUILD_MOST_MS = 30000, PART = 4 };

/* The path of the unit's library with debugging information, or NULL if its code is not the same.
 * The caller frees it. */
static char *build_with_lines(const struct unit_job *job, const char *dir, const char *library,
                              int64_t left_ms)
{
    char debug[] = "-g", *const words[] = {debug, NULL};
    const int64_t part_ms = left_ms / PART;
    const struct limits limits =
        unit_build_extra(job, part_ms < BUILD_MOST_MS ? part_ms : BUILD_MOST_MS, UINT64_MAX);
    struct build_job what = unit_build_job(job);
    what.limits = &limits;
    what.defines = words;
    what.dir = dir;
    FREED_BY(build_free) struct build b = {0};
    struct err ignored = ERR_INIT;
    char *with_lines = NULL;
    if (build_tier(&what, &b, &ignored) == 0 && b.verdict == VERDICT_PASS &&
        source_line_same_code(library, b.library))
        with_lines = xstrdup(b.library);
    return with_lines;
}

/* After an instruction that is none of this processor's: which ones the tier is compiled for. */
static void add_instruction_sets(const struct unit_job *job, const struct outcome *o, char *message,
                                 size_t cap)
{
    OWNED char *text = o->fault.signal == SIGILL ? instruction_sets_text(job->tier->compile) : NULL;
    const size_t n = strlen(message);
    if (text)
        snprintf(message + n, cap - n, "; this tier is compiled for %s", text);
}

void crash_line_add(const struct unit_job *job, struct unit_state *s, const struct outcome *o,
                    char *message, size_t cap)
{
    const uint64_t now = clock_mono_ns();
    struct source_line at;
    const bool late = o->kind == OUTCOME_CASE_TIMEOUT;
    if ((o->kind != OUTCOME_DIED && !late) || !o->has_fault || o->fault.place[0] == UINT64_MAX ||
        s->deadline <= now)
        return;
    OWNED char *dir = xasprintf("%s/lines", job->dir);
    if (!s->lines_sought)
        s->with_lines =
            build_with_lines(job, dir, s->spec.library, (int64_t)((s->deadline - now) / 1000000));
    s->lines_sought = true;
    if (s->with_lines &&
        source_line_find(&job->node->sandbox, dir, s->with_lines, o->fault.place, PG_PLACES, &at)) {
        const size_t n = strlen(message);
        snprintf(message + n, cap - n, "; %s %s (%s:%d)%s", late ? "its first thread was in" : "in",
                 at.function, at.file, at.line,
                 job->adapter && source_is_adapter(at.file)
                     ? ", the course's adapter, with what the submission gave it"
                     : "");
    }
    add_instruction_sets(job, o, message, cap);
}
