#include "rundir/stale_files.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "rundir/parts.h"
#include "rundir/paths.h"

enum { PLAN_ABANDONED_S = 3600 };

/* Names of temporary files hold the number of the process. Is there such a process on this machine?
 * It may be another one by now; a later call removes the file. */
static bool may_live(const char *pid)
{
    long n = strtol(pid, NULL, 10);
    if (n <= 0)
        return false;
    return kill((pid_t)n, 0) == 0 ? proc_start_time(n) != 0 : errno == EPERM;
}

/* Is a file a temporary one, by its name, whose writer is gone? */
static bool is_stale(const char *name)
{
    for (int p = 0; p < PART_COUNT; p++)
        if (part_kind((enum part)p) == KIND_TEMPORARY && part_has_name((enum part)p, name))
            return !may_live(strchr(name, '-') + 1);
    return false;
}

static void clean_directory(const char *dir)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (fs_list(dir, &names, &n, NULL) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        if (!is_stale(names[i]))
            continue;
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        unlink(path);
    }
}

void stale_files_remove(const struct run *r, const struct results *res)
{
    bool complete = true;
    OWNED char *slurm = rundir_slurm(r->dir), *nodes = rundir_nodes(r->dir);
    clean_directory(r->dir);
    clean_directory(slurm);
    for (unsigned i = 0; i < res->unit_count; i++) {
        if (!res->unit[i] || verdict_fault(res->unit[i]->verdict) == FAULT_INFRA) {
            complete = false;
            continue;
        }
        OWNED char *dir = rundir_unit(r->dir, r->plan->units[i].id);
        clean_directory(dir);
    }
    if (complete)
        clean_directory(nodes);
}

void stale_files_remove_plans(const char *reports_dir, const char *mine)
{
    struct stat now, then;
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (stat(mine, &now) != 0 || fs_list(reports_dir, &names, &n, NULL) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        if (strncmp(names[i], ".new-", 5) != 0 || may_live(names[i] + 5))
            continue;
        OWNED char *path = xasprintf("%s/%s", reports_dir, names[i]);
        /* Both times are the file system's. */
        if (lstat(path, &then) == 0 && S_ISDIR(then.st_mode) && then.st_uid == geteuid() &&
            now.st_mtim.tv_sec - then.st_mtim.tv_sec > PLAN_ABANDONED_S)
            fs_remove_tree(path, NULL);
    }
}
