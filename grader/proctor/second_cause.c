#include "proctor/second_cause.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "build/gimple.h"
#include "build/imports.h"
#include "build/lost_writes.h"
#include "build/shared_writes.h"
#include "build/task_variables.h"
#include "model/source_name.h"
#include "proctor/unit_build.h"
#include "proctor/unit_driver.h"
#include "supervise/driver_start.h"

enum { RUNS = 3, DUMP_MOST = 16 << 20, FILES_MOST = 1000, BUILD_MOST_MS = 5000 };

/* The case once more, in a new driver. */
static enum verdict try_again(const struct wrong_case *w, struct driver_spec *spec)
{
    struct driver_process d = DRIVER_PROCESS_INIT;
    struct outcome o = {0};
    struct finding f = FINDING_INIT;
    unit_driver_start_clean(&d, spec, w->deadline, &o);
    const uint64_t run = w->finding->failed_run == RUN_UNKNOWN ? 0 : w->finding->failed_run;
    const struct check_task check = {&d, w->test_case, run, RUNS, 0};
    const bool ran = o.kind == OUTCOME_OK && harness_check(w->job->harness, &check, &f, &o) == 0;
    if (driver_alive(&d))
        driver_end(&d);
    return ran ? f.verdict : VERDICT_INFRA_ERROR;
}

/* Is the case right where everything starts as zero? */
static bool right_with_zeros(const struct wrong_case *w)
{
    struct driver_spec spec = *w->spec;
    FREED_BY(second_build_free) struct second_build b = {0};
    bool right = false;
    OWNED char *dir = xasprintf("%s/zeros", w->job->dir);
    second_build_with_zeros(w->job, dir, w->build, w->deadline, &b);
    if (b.library) {
        spec.library = b.library;
        spec.preload = b.preload;
        spec.looking = spec.looking == LOOKING_FILLED ? LOOKING_ZEROED : spec.looking;
        right = try_again(w, &spec) == VERDICT_PASS;
    }
    return right;
}

enum verdict second_alone(const struct wrong_case *w)
{
    struct driver_spec spec = *w->spec;
    spec.launch = launch_here(1, 1);
    return try_again(w, &spec);
}

/* Is it what gcc has written of a source that is not the adapter: "kernel.so-openmp.c.006t.gimple"?
 */
static bool is_dump(const char *name)
{
    const size_t n = strlen(name), end = strlen(GIMPLE_FILE);
    return n > end && strcmp(name + n - end, GIMPLE_FILE) == 0 && !strstr(name, ADAPTER_NAME);
}

/* All that gcc has written below the directory; NULL: nothing. */
static char *read_dumps(const char *dir)
{
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    struct err ignored = ERR_INIT;
    OWNED_TEXTS char **names = NULL;
    size_t count = 0, length;
    if (tree_list(dir, FILES_MOST, &names, &count, &ignored) != 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]), *dump = NULL;
        if (is_dump(names[i]) && fs_read(path, DUMP_MOST, &dump, &length, &ignored) == 0)
            strbuf_add(&all, dump, strlen(dump));
    }
    if (all.len)
        return strbuf_detach(&all);
    return NULL;
}

/* What gcc makes of the sources; NULL: nothing is known. The caller frees it. */
static char *gimple_of(const struct unit_job *job, uint64_t deadline)
{
    char *dir = xasprintf("%s/shared", job->dir), option[] = GIMPLE_OPTION, *dump = NULL;
    char *const words[] = {option, NULL};
    const struct limits limits = unit_build_extra(job, BUILD_MOST_MS, deadline);
    struct build_job what = unit_build_job(job);
    FREED_BY(build_free) struct build b = {0};
    struct err ignored = ERR_INIT;
    what.limits = &limits;
    what.appended = words;
    what.dir = dir;
    if (build_tier(&what, &b, &ignored) == 0 && b.verdict == VERDICT_PASS)
        dump = read_dumps(dir);
    free(dir);
    return dump;
}

static char *gimple_of_threads(const struct unit_job *job, struct launch l, uint64_t deadline)
{
    return l.threads > 1 ? gimple_of(job, deadline) : NULL;
}

static char *shared_writes(const struct wrong_case *w)
{
    OWNED char *dump = gimple_of_threads(w->job, w->spec->launch, w->deadline);
    return dump ? shared_writes_read(dump) : xstrdup("");
}

char *second_task_variables(const struct unit_job *job, const char *library, uint64_t deadline)
{
    OWNED char *dump = imports_tasks(library) ? gimple_of(job, deadline) : NULL;
    return dump ? task_variables_read(dump) : xstrdup("");
}

char *second_lost_writes(const struct unit_job *job, uint64_t deadline)
{
    char *dump = gimple_of(job, deadline);
    char *said = dump ? lost_writes_read(dump) : xstrdup("");
    free(dump);
    return said;
}

static char *race_words(bool told, const char *writes)
{
    return xasprintf("%sthreads share and write %s: declare it in the loop, or "
                     "use private(...), or reduction(...) for a sum",
                     told ? "" : "a race: ", writes);
}

char *second_race(const struct wrong_case *w)
{
    OWNED char *writes = shared_writes(w);
    char *race =
        *writes && second_alone(w) == VERDICT_PASS ? race_words(w->race_is_told, writes) : NULL;
    return race;
}

char *second_known_race(const struct unit_job *job, struct launch l, bool told, uint64_t deadline)
{
    char *dump = gimple_of_threads(job, l, deadline), *cause = NULL;
    OWNED char *writes = dump ? shared_writes_read(dump) : xstrdup("");
    OWNED char *elements = dump ? shared_elements_read(dump) : xstrdup("");
    OWNED char *unwaited = dump ? shared_unwaited_read(dump) : xstrdup("");
    if (*writes)
        cause = race_words(told, writes);
    else if (*unwaited)
        cause = xasprintf("%snowait (%s) lets a thread go on before the others are done: does it "
                          "use what they write%s%s?",
                          told ? "" : "a race: ", unwaited, *elements ? ", " : "", elements);
    else if (*elements)
        cause = xasprintf("%sthreads share and write elements of %s: which of them does another "
                          "thread use at the same time, with no barrier, critical or atomic "
                          "between?",
                          told ? "" : "a race: ", elements);
    else if (!told)
        cause = xstrdup("a race, since the same values give different results");
    free(dump);
    return cause;
}

char *second_cause(const struct wrong_case *w)
{
    if (w->finding->cause == CAUSE_RACE)
        return second_known_race(w->job, w->spec->launch, w->race_is_told, w->deadline);
    char *race = second_race(w);
    if (race || !right_with_zeros(w))
        return race;
    return xstrdup("a value that was never set: the results are right where local variables and "
                   "fresh memory start as zero");
}
