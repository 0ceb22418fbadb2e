#include "rundir/paths.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "rundir/parts.h"

char *rundir_plan(const char *run)
{
    return part_path(run, PART_PLAN);
}

char *rundir_assignment(const char *run)
{
    return part_path(run, PART_ASSIGNMENT);
}

char *rundir_overrides(const char *run)
{
    return part_path(run, PART_OVERRIDES);
}

char *rundir_resume_options(const char *run)
{
    return part_path(run, PART_RESUME_OPTIONS);
}

char *rundir_sources(const char *run, const char *submission_id)
{
    return part_path(run, PART_SOURCES, submission_id);
}

char *rundir_adapters(const char *run)
{
    return part_path(run, PART_ADAPTERS);
}

char *rundir_adapter(const char *run, const struct tier *t)
{
    OWNED char *name = xasprintf("%s%s", t->name, t->adapter_suffix);
    return part_path(run, PART_ADAPTER, name);
}

char *rundir_matrices(const char *run)
{
    return part_path(run, PART_MATRICES);
}

char *rundir_matrix(const char *run, const struct sparse *m)
{
    char *dir = rundir_matrices(run), *path = xasprintf("%s/%s", dir, m->structure.file);
    free(dir);
    return path;
}

char *rundir_kernel(const char *run)
{
    return part_path(run, PART_KERNEL);
}

char *rundir_kernel_file(const char *run, const char *name)
{
    return part_path(run, PART_KERNEL_FILE, name);
}

char *rundir_nodes(const char *run)
{
    return part_path(run, PART_NODES);
}

char *rundir_node(const char *run, const char *host, const char *yardstick)
{
    OWNED char *name = xasprintf("%s.%s", host, yardstick);
    return part_path(run, PART_NODE, name);
}

char *rundir_reference(const char *run, const char *host, const char *tier)
{
    OWNED char *name = xasprintf("%s.%s", host, tier);
    return part_path(run, PART_REFERENCE, name);
}

char *rundir_template(const char *run)
{
    return part_path(run, PART_TEMPLATE);
}

char *rundir_unit(const char *run, const char *unit_id)
{
    return part_path(run, PART_UNIT, unit_id);
}

char *rundir_result(const char *run, const char *unit_id)
{
    return part_path(run, PART_RESULT, unit_id);
}

char *rundir_first_result(const char *run, const char *unit_id)
{
    return part_path(run, PART_FIRST_RESULT, unit_id);
}

char *rundir_attempt(const char *run, const char *unit_id, const char *tag)
{
    return part_path(run, PART_ATTEMPT, unit_id, tag);
}

char *rundir_failure(const char *run, const char *unit_id, const char *tag)
{
    return part_path(run, PART_FAILURE, unit_id, tag);
}

char *rundir_proctor_log(const char *run, const char *unit_id, const char *tag)
{
    return part_path(run, PART_PROCTOR_LOG, unit_id, tag);
}

char *rundir_slurm(const char *run)
{
    return part_path(run, PART_SLURM);
}

char *rundir_next(const char *run, int array)
{
    char number[16];
    snprintf(number, sizeof number, "%d", array);
    return part_path(run, PART_SLURM_NEXT, number);
}

char *rundir_lock(const char *run)
{
    return part_path(run, PART_LOCK);
}

char *rundir_receipts(const char *run)
{
    return part_path(run, PART_RECEIPTS);
}
