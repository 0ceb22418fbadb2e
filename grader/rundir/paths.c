#include "rundir/paths.h"

#include "base/strbuf.h"

char *rundir_plan(const char *run)
{
    return xasprintf("%s/plan.json", run);
}

char *rundir_assignment(const char *run)
{
    return xasprintf("%s/assignment.yaml", run);
}

char *rundir_resume_options(const char *run)
{
    return xasprintf("%s/session.json", run);
}

char *rundir_sources(const char *run, const char *submission_id)
{
    return xasprintf("%s/sources/%s", run, submission_id);
}

char *rundir_node(const char *run, const char *host, const char *yardstick)
{
    return xasprintf("%s/nodes/%s.%s.json", run, host, yardstick);
}

char *rundir_nodes(const char *run)
{
    return xasprintf("%s/nodes", run);
}

char *rundir_unit(const char *run, const char *unit_id)
{
    return xasprintf("%s/units/%s", run, unit_id);
}

char *rundir_result(const char *run, const char *unit_id)
{
    return xasprintf("%s/units/%s/result.json", run, unit_id);
}

char *rundir_slurm(const char *run)
{
    return xasprintf("%s/slurm", run);
}

char *rundir_lock(const char *run)
{
    return xasprintf("%s/lock", run);
}

char *rundir_receipts(const char *run)
{
    return xasprintf("%s/receipts.json", run);
}

char *rundir_report(const char *run, const char *file)
{
    return xasprintf("%s/%s", run, file);
}
