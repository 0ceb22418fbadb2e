#include "cmd/run_state.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "rundir/attempts.h"
#include "rundir/paths.h"
#include "rundir/resume_options.h"

bool run_is_finished(const struct run *r)
{
    struct resume_options options;
    struct err ignored = ERR_INIT;
    const bool begun = resume_options_load(r->dir, &options, &ignored) == 0;
    bool finished = true;
    for (unsigned i = 0; i < r->plan->units_count && finished; i++) {
        const struct unit *u = &r->plan->units[i];
        finished = u->preset || attempt_has_result(r->dir, u->id) ||
                   (begun && resume_options_ended(r, &options, u->id, NULL));
    }
    resume_options_free(&options);
    return finished;
}

time_t run_reported(const struct run *r)
{
    struct stat st;
    char *receipts = rundir_receipts(r->dir);
    const time_t when = stat(receipts, &st) == 0 ? st.st_mtime : 0;
    free(receipts);
    return when;
}

bool run_is_one(const char *dir)
{
    char *plan = rundir_plan(dir);
    const bool is = fs_exists(plan);
    free(plan);
    return is;
}
