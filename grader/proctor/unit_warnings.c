#include "proctor/unit_warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/compiler_log.h"
#include "build/utf16.h"
#include "model/source_name.h"
#include "proctor/unit_build.h"
#include "rundir/stage.h"

enum { WARNINGS_MOST = 3, BUILD_MOST_MS = 10000 };

static bool is_wanted(const struct unit_job *job, const struct unit_result *r)
{
    const struct node_context *n = job->node;
    const struct plan *p = n->run.plan;
    const bool clean = r->verdict == VERDICT_PASS && !*r->remarks && r->attested != ATTESTED_NO;
    return !clean && !strstr(r->message, UTF16_WORDS) && !job->first &&
           job->selection->case_index < 0 && !p->submissions[job->unit->submission].is_reference &&
           (!n->run.assignment->only.untimed || p->self_test);
}

/* The first warnings of a log, the same one only once. */
static void add(const char *log, bool wrong_results, unsigned *told, struct unit_result *r)
{
    char *warning;
    for (; *told < WARNINGS_MOST && (warning = compiler_log_warning(&log, wrong_results));
         free(warning)) {
        if (strncmp(warning, ADAPTER_NAME ".", sizeof ADAPTER_NAME) == 0 ||
            strstr(r->remarks, warning))
            continue;
        unit_result_remark(r, "%s (a warning of the compiler)", warning);
        ++*told;
    }
}

void unit_warnings_add(const struct unit_job *job, uint64_t deadline, struct unit_result *r)
{
    /* Parameters are given by the assignment, and vectors as parameters are no mistake. What a
     * compiler could not read seems unused. */
    char all[] = "-Wall", extra[] = "-Wextra", parameters[] = "-Wno-unused-parameter",
         any[] = "-Wno-unused", *unused = r->verdict == VERDICT_BUILD_ERROR ? any : parameters,
         abi[] = "-Wno-psabi", *const words[] = {all, extra, unused, abi, NULL};
    if (!is_wanted(job, r))
        return;
    stage_enter("looking for warnings");
    const struct limits limits = unit_build_extra(job, BUILD_MOST_MS, deadline);
    OWNED char *dir = xasprintf("%s/warnings", job->dir);
    struct build_job what = unit_build_job(job);
    FREED_BY(build_free) struct build b = {0};
    struct err ignored = ERR_INIT;
    what.limits = &limits;
    what.appended = words;
    what.dir = dir;
    unsigned told = 0;
    if (build_tier(&what, &b, &ignored) == 0 && b.log) {
        OWNED char *returns = compiler_log_missing_returns(b.log);
        if (returns) {
            unit_result_remark(r, "%s (warnings of the compiler)", returns);
            told++;
        }
        add(b.log, true, &told, r);
        add(b.log, false, &told, r);
    }
}
