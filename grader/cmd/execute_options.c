#include "cmd/execute_options.h"

#include "cmd/site_files.h"

int execute_options_check(const struct options *o)
{
    const char *word = site_slurm_word_from(&o->site);
    if (o->where == WHERE_HERE && word)
        return command_usage(
            o->command,
            "--local cannot be combined with %s: it runs the units on this machine, "
            "and %s chooses how Slurm runs them. Leave out one or the other",
            word, word);
    if (o->where == WHERE_SLURM && o->jobs)
        return command_usage(
            o->command,
            "--jobs cannot be combined with --slurm: with Slurm, submit.max_concurrent in the "
            "assignment limits how many units run at a time. Leave out --jobs");
    return COMMAND_GO_ON;
}

void execute_options_free(struct execute_options *x)
{
    site_free(&x->site);
    site_free(&x->given);
}

/* The settings of the site: those of the configuration files, laid over by those of the command
 * lines: of this one and of the one that started the run (`before`; NULL: this one starts it). The
 * report job of a run uses the settings of the run alone, because it may run on another machine. */
static int find_site(const struct options *o, const struct resume_options *before,
                     struct execute_options *x, struct err *e)
{
    if (before)
        site_lay_over(&x->given, &before->given);
    if (o->from_job) {
        site_lay_over(&x->site, &before->site);
        return 0;
    }
    if (site_files_read(&x->site, e) != 0)
        return -1;
    site_lay_over(&x->given, &o->site);
    site_lay_over(&x->site, &x->given);
    return 0;
}

/* What the command line alone says. The report job may submit jobs, but it does not wait for them.
 */
static struct execute_options as_given(const struct options *o)
{
    return (struct execute_options){.slurm = o->where == WHERE_SLURM || o->from_job,
                                    .quiet = o->quiet,
                                    .wait = !o->no_wait && !o->from_job,
                                    .from_job = o->from_job,
                                    .jobs = o->jobs ? (int)o->jobs : 1};
}

int execute_options_make(const struct options *o, struct execute_options *x, struct err *e)
{
    *x = as_given(o);
    return find_site(o, NULL, x, e);
}

int execute_options_adopt(const struct options *o, const char *dir, struct resume_options *before,
                          struct execute_options *x, struct err *e)
{
    *x = as_given(o);
    if (resume_options_load(dir, before, e) < 0 || find_site(o, before, x, e) != 0)
        return -1;
    if (o->where == WHERE_AS_BEFORE && !o->from_job)
        x->slurm = before->slurm;
    if (!o->jobs && before->jobs > 0)
        x->jobs = before->jobs;
    x->slurm_words_given = site_slurm_word_from(&o->site) != NULL;
    return 0;
}
