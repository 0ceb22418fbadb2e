#include "proctor/unit_build.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/inherited_limits.h"
#include "base/oom_kills.h"
#include "base/strbuf.h"
#include "build/symbols.h"
#include "proctor/give_way.h"
#include "proctor/unit_record.h"
#include "rundir/stage.h"

struct build_job unit_build_job(const struct unit_job *job)
{
    return (struct build_job){.tier = job->tier,
                              .limits = &job->node->run.assignment->limits,
                              .sandbox = &job->node->sandbox,
                              .sources = job->sources,
                              .source = job->unit->source,
                              .adapter = job->adapter,
                              .defines = job->defines,
                              .dir = job->dir,
                              .give_way = give_way,
                              .give_way_arg = &job->node->timing_lock};
}

struct limits unit_build_extra(const struct unit_job *job, int64_t most_ms, uint64_t deadline)
{
    struct limits l = job->node->run.assignment->limits;
    const uint64_t now = clock_mono_ns();
    const int64_t left_ms = deadline > now ? (int64_t)((deadline - now) / 1000000) : 0;
    l.build_ms = l.build_ms < most_ms ? l.build_ms : most_ms;
    l.build_ms = l.build_ms < left_ms ? l.build_ms : left_ms;
    return l;
}

static void record(struct build *b, struct unit_result *r)
{
    char **texts[][2] = {{&r->build_command, &b->command},
                         {&r->compiler, &b->compiler},
                         {&r->source_hash, &b->source_hash}};
    r->build_seconds += b->seconds;
    r->protections &= (int)b->protections; /* PROTECTIONS_UNKNOWN has all bits */
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        unit_record_text(texts[i][0], *texts[i][1]);
        *texts[i][1] = NULL;
    }
}

/* Does the library have the kernel's function? This is known before anything is measured. */
static int check_function(const struct unit_job *job, struct build *b, struct err *e)
{
    char function[LAUNCH_FUNCTION_MOST], *why = NULL;
    launch_function(job->tier->kind, job->tier->kernel->function, function);
    if (symbols_missing(b->library, function, &why, e) != 0)
        return -1;
    if (why) {
        b->verdict = VERDICT_BUILD_ERROR;
        unit_record_text(&b->message, why);
    }
    return 0;
}

int unit_build(const struct unit_job *job, struct build *b, struct unexplained_end *end,
               struct unit_result *r, struct err *e)
{
    const struct build_job what = unit_build_job(job);
    const uint64_t kills = oom_kills();
    stage_enter("building");
    if (build_tier(&what, b, e) != 0)
        return -1;
    record(b, r);
    if (b->cpu_limit)
        return err_system(e,
                          "the compiler was ended by a limit of %llu s of processor time, which is "
                          "not the assignment's: the login shell or the site has set it (ulimit "
                          "-t). Lift it, or grade in a session without it",
                          (unsigned long long)inherited_limits_cpu());
    /* No code of the student runs yet: but for memory, it cannot have brought this about. */
    const bool foreign = kills != OOM_KILLS_UNKNOWN && oom_kills() == kills;
    if (b->killed && (foreign || unexplained_end_is_retried(end->before))) {
        end->now = !foreign;
        return err_system(e,
                          "the compiler was killed, and not by the grader (%s): the node ran out "
                          "of memory, or another process sent the signal",
                          b->message);
    }
    return b->verdict == VERDICT_PASS ? check_function(job, b, e) : 0;
}

char *unit_build_skipped(const struct unit_job *job)
{
    return xasprintf("it compiles, but cannot run here: %s", job->missing);
}

char *unit_build_elsewhere(const struct unit_job *job, const char *architecture)
{
    return xasprintf("it compiles for sm_%s (not for the default of nvcc), but cannot run here: %s",
                     architecture,
                     job->missing ? job->missing
                                  : "nvidia-smi reports no GPU. Set `architectures` in the tier");
}
