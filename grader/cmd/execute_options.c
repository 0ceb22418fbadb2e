#include "cmd/execute_options.h"

#include "base/parse.h"
#include "cmd/site_files.h"

void execute_options_init(struct execute_request *r)
{
    *r = (struct execute_request){.options = {.wait = true, .jobs = 1}};
}

static void choose_slurm(struct execute_request *r, bool slurm)
{
    r->options.slurm = slurm;
    r->slurm_given = true;
}

/* A name for Slurm; it implies --slurm. An empty one would silently mean the default. */
static int take_name(struct execute_request *r, const char **name, const char *option,
                     const char *value, struct err *e)
{
    if (!*value)
        return err_input(e, "%s needs a name", option);
    *name = value;
    if (!r->slurm_given)
        choose_slurm(r, true);
    return 0;
}

void execute_options_free(struct execute_request *r)
{
    site_free(&r->options.site);
    site_free(&r->options.given);
}

int execute_options_site(struct execute_request *r, const struct resume_options *before,
                         struct err *e)
{
    struct execute_options *o = &r->options;
    struct site given = {0};
    if (o->from_job) {
        site_lay_over(&o->site, &before->site);
        return 0;
    }
    if (site_files_read(&o->site, e) != 0)
        return -1;
    if (before)
        site_lay_over(&given, &before->given);
    site_lay_over(&given, &o->given);
    site_free(&o->given);
    o->given = given;
    site_lay_over(&o->site, &o->given);
    return 0;
}

/* A setting of the site. */
static int take_setting(struct execute_request *r, enum site_setting x, const char *option,
                        const char *value, struct err *e)
{
    return site_set(&r->options.given, x, value, option, e) == 0 ? 0 : err_context(e, "%s", option);
}

int execute_options_take(struct execute_request *r, int option, const char *value, struct err *e)
{
    struct execute_options *o = &r->options;
    long long jobs;
    switch (option) {
    case OPTION_SLURM:
        choose_slurm(r, true);
        return 0;
    case OPTION_LOCAL:
        choose_slurm(r, false);
        return 0;
    case OPTION_PARTITION:
        return take_name(r, &o->partition, "--partition", value, e);
    case OPTION_ACCOUNT:
        return take_name(r, &o->account, "--account", value, e);
    case OPTION_QOS:
        return take_name(r, &o->qos, "--qos", value, e);
    case OPTION_MODULE:
        return take_setting(r, SITE_MODULES, "--module", value, e);
    case OPTION_SCRATCH:
        return take_setting(r, SITE_SCRATCH, "--scratch", value, e);
    case OPTION_NICE:
        return take_setting(r, SITE_NICE, "--nice", value, e);
    case OPTION_NO_WAIT:
        o->wait = false;
        return 0;
    case OPTION_JSON:
        r->json = true;
        return 0;
    case 'q':
        o->quiet = true;
        return 0;
    case 'j':
        if (parse_int(value, 1, 1024, &jobs, e) != 0)
            return err_context(e, "--jobs");
        o->jobs = (int)jobs;
        r->jobs_given = true;
        return 0;
    default:
        return 1;
    }
}

int execute_options_check(const struct execute_request *r, struct err *e)
{
    const struct execute_options *o = &r->options;
    if (!o->slurm && r->slurm_given && (o->partition || o->account || o->qos))
        return err_input(
            e, "--local cannot be combined with --partition, --account or --qos: it runs the "
               "units on this machine, and they choose how Slurm runs them. Leave out one or "
               "the other");
    if (o->slurm && r->jobs_given)
        return err_input(
            e, "--jobs cannot be combined with --slurm: with Slurm, submit.max_concurrent in the "
               "assignment limits how many units run at a time. Leave out --jobs");
    return 0;
}

int execute_options_adopt(struct execute_request *r, const char *dir, struct resume_options *before,
                          struct err *e)
{
    struct execute_options *o = &r->options;
    if (resume_options_load(dir, before, e) < 0 || execute_options_site(r, before, e) != 0)
        return -1;
    if (!r->slurm_given)
        o->slurm = before->slurm;
    if (!r->jobs_given && before->jobs > 0)
        o->jobs = before->jobs;
    if (!o->slurm)
        return 0;
    o->resources_given = o->partition || o->account || o->qos;
    if (!o->partition)
        o->partition = before->partition;
    if (!o->account)
        o->account = before->account;
    if (!o->qos)
        o->qos = before->qos;
    return 0;
}
