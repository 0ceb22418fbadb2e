#include "cmd/run_state.h"

#include <sys/stat.h>

#include "base/fsio.h"
#include "rundir/attempts.h"
#include "rundir/paths.h"
#include "rundir/resume_options.h"

bool run_is_finished(const struct run *r)
{
    FREED_BY(resume_options_free) struct resume_options options = {0};
    struct err ignored = ERR_INIT;
    const bool begun = resume_options_load(r->dir, &options, &ignored) == 0;
    bool finished = true;
    for (unsigned i = 0; i < r->plan->units_count && finished; i++) {
        const struct unit *u = &r->plan->units[i];
        finished = u->preset || attempt_has_result(r->dir, u->id) ||
                   (begun && resume_options_ended(r, &options, u->id, NULL));
    }
    return finished;
}

time_t run_reported(const struct run *r)
{
    struct stat st;
    OWNED char *receipts = rundir_receipts(r->dir);
    return stat(receipts, &st) == 0 ? st.st_mtime : 0;
}

bool run_is_one(const char *dir)
{
    OWNED char *plan = rundir_plan(dir);
    return fs_exists(plan);
}
