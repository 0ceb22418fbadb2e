#include "cmd/execute_options.h"

#include "base/parse.h"

void execute_args_init(struct execute_args *a)
{
    *a = (struct execute_args){.options = {.wait = true, .jobs = 1}};
}

int execute_args_take(struct execute_args *a, int option, const char *value, struct err *e)
{
    struct execute_options *o = &a->options;
    long long n;
    switch (option) {
    case EXECUTE_ARG_FIRST:
        o->slurm = true;
        a->slurm_given = true;
        return 0;
    case EXECUTE_ARG_FIRST + 1:
        o->slurm = false;
        a->slurm_given = true;
        return 0;
    case EXECUTE_ARG_FIRST + 2:
        o->partition = value;
        break;
    case EXECUTE_ARG_FIRST + 3:
        o->account = value;
        break;
    case EXECUTE_ARG_FIRST + 4:
        o->qos = value;
        break;
    case EXECUTE_ARG_FIRST + 5:
        o->wait = false;
        return 0;
    case EXECUTE_ARG_FIRST + 6:
        a->json = true;
        return 0;
    case 'q':
        o->quiet = true;
        return 0;
    case 'j':
        if (parse_int(value, 1, 1024, &n, e) != 0)
            return err_context(e, "--jobs");
        o->jobs = (int)n;
        a->jobs_given = true;
        return 0;
    default:
        return 1;
    }
    /* An empty one would silently mean the default. */
    if (!*value)
        return err_input(e, "--partition, --account and --qos need a name");
    if (!a->slurm_given) {
        o->slurm = true;
        a->slurm_given = true;
    }
    return 0;
}

int execute_args_check(const struct execute_args *a, struct err *e)
{
    const struct execute_options *o = &a->options;
    if (!o->slurm && a->slurm_given && (o->partition || o->account || o->qos))
        return err_input(e, "--local and --partition, --account or --qos exclude each other");
    if (!o->slurm && !o->wait)
        return err_input(e, "--no-wait needs --slurm: on this machine somebody must stay");
    if (o->slurm && a->jobs_given)
        return err_input(e, "--jobs is for this machine; with --slurm the assignment's "
                            "submit.max_concurrent counts");
    return 0;
}
