#include "slurm/array_request.h"

#include <stdlib.h>

#include "base/proc.h"
#include "base/strbuf.h"
#include "execute/proctor_program.h"
#include "rundir/paths.h"

void array_request_make(const struct array_setting *at, const struct slurm_job *j,
                        const struct resources *res, struct array_request *out)
{
    OWNED char *batch = slurm_job_path(at->run, j, ".json");
    char *const fixed[] = {(char *)at->proctor, (char *)at->run, batch, NULL};
    *out = (struct array_request){
        .dir = rundir_slurm(at->run),
        .output = xasprintf("array-%d-%%a.log", j->number),
        .args = execute_command(fixed, (const char *const *)at->prefix),
    };
    out->q = (struct slurm_request){
        .script = at->script,
        .name = j->name,
        .chdir = out->dir,
        .output = out->output,
        .res = res,
        .elements = j->elements,
        .throttle = j->throttle,
        .args = out->args,
    };
}

void array_request_free(struct array_request *r)
{
    proc_argv_free(r->args);
    free(r->output);
    free(r->dir);
}
