#include "supervise/driver_tree.h"

#include <stdio.h>
#include <sys/stat.h>

static const char outside[] = "Limits, sandbox and halts hold only for processes below the grader: "
                              "use mpirun without a batch system, and on one node";

bool driver_is_below(const struct driver_process *d, pid_t peer, struct outcome *o)
{
    struct pid_list below;
    procfs_descendants(d->pid, &below);
    const bool found = peer == d->pid || pid_list_has(&below, peer);
    pid_list_free(&below);
    if (!found)
        outcome_set(o, OUTCOME_NOT_STARTED,
                    "the launcher (%s) started the driver outside the grader's tree of processes. "
                    "%s",
                    d->spec.launcher ? d->spec.launcher : "none", outside);
    return found;
}

static bool runs_program(pid_t pid, const struct stat *program)
{
    struct stat st;
    char exe[64];
    snprintf(exe, sizeof exe, "/proc/%d/exe", (int)pid);
    return stat(exe, &st) == 0 && st.st_dev == program->st_dev && st.st_ino == program->st_ino;
}

void driver_list_ranks(struct driver_process *d, struct outcome *o)
{
    struct stat program;
    int found = 0;
    if (!d->spec.launcher && !d->spec.tool)
        return;
    procfs_descendants(d->pid, &d->ranks);
    if (stat(d->spec.program, &program) == 0)
        for (size_t i = 0; i < d->ranks.count; i++)
            found += runs_program(d->ranks.pid[i], &program);
    if (found < launch_on_node(d->spec.launch).ranks)
        outcome_set(o, OUTCOME_NOT_STARTED,
                    "the launcher (%s) started %d of %d ranks in the grader's tree of processes. "
                    "%s",
                    d->spec.launcher, found, launch_on_node(d->spec.launch).ranks, outside);
}
