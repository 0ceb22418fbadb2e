#include "slurm/submit.h"

#include <stdio.h>
#include <string.h>

#include "base/proc.h"
#include "slurm/listing.h"

/* --- the command line --------------------------------------------------------------------- */

static void push_text(struct proc_argv *a, const char *option, const char *value)
{
    if (value && *value)
        proc_argv_push(a, xasprintf("%s=%s", option, value));
}

static void push_count(struct proc_argv *a, const char *option, long value)
{
    if (value > 0)
        proc_argv_push(a, xasprintf("%s=%ld", option, value));
}

/* Rounded up to Slurm's units. Some sites take memory by core only, and some none at all. */
static void push_memory(struct proc_argv *a, const struct resources *r)
{
    const unsigned long long mib = (r->memory_bytes + (1 << 20) - 1) >> 20;
    const int on_node = r->nodes > 1 ? r->tasks / r->nodes : r->tasks;
    const unsigned long long tasks = on_node > 0 ? (unsigned long long)on_node : 1;
    const unsigned long long cpus =
        r->cpus_per_task > 0 ? tasks * (unsigned long long)r->cpus_per_task : tasks;
    if (mib && r->memory_as == MEMORY_PER_NODE)
        proc_argv_push(a, xasprintf("--mem=%lluM", mib));
    else if (mib && r->memory_as == MEMORY_PER_CORE)
        proc_argv_push(a, xasprintf("--mem-per-cpu=%lluM", (mib + cpus - 1) / cpus));
}

static void push_resources(struct proc_argv *a, const struct resources *r)
{
#define SLURM_WORD(name, word, letter) push_text(a, "--" #word, r->word);
#define ASSIGNMENT_WORD(word, letter) SLURM_WORD(, word, letter)
#include "model/slurm_words.def"
    push_count(a, "--nodes", r->nodes);
    push_count(a, "--ntasks", r->tasks);
    push_count(a, "--cpus-per-task", r->cpus_per_task);
    push_memory(a, r);
    if (r->time_ms > 0)
        proc_argv_push(a, xasprintf("--time=%lld", (long long)((r->time_ms + 59999) / 60000)));
    if (r->exclusive)
        proc_argv_push(a, xstrdup("--exclusive"));
    for (unsigned i = 0; i < r->extra_count; i++)
        proc_argv_push(a, xstrdup(r->extra[i]));
}

/* Slurm expands patterns in the whole path. A % in the directory is doubled, so that it stays. */
static char *output_pattern(const char *dir, const char *file)
{
    struct strbuf sb = STRBUF_INIT;
    for (; *dir; dir++)
        strbuf_adds(&sb, *dir == '%' ? "%%" : (char[]){*dir, '\0'});
    strbuf_addf(&sb, "/%s", file);
    return strbuf_detach(&sb);
}

char **slurm_sbatch_argv(const struct slurm_request *q)
{
    struct proc_argv a = {0};
    proc_argv_push(&a, xstrdup("sbatch"));
    proc_argv_push(&a, xstrdup("--parsable"));
    push_text(&a, "--job-name", q->name);
    push_text(&a, "--chdir", q->chdir);
    OWNED char *output = output_pattern(q->chdir, q->output);
    push_text(&a, "--output", output);
    proc_argv_push(&a, xstrdup("--open-mode=append"));
    /* Slurm must not requeue: the executor itself records a lost unit and sends it to another node.
     */
    proc_argv_push(&a, xstrdup("--no-requeue"));
    if (q->elements > 0 && q->throttle > 0)
        proc_argv_push(&a, xasprintf("--array=0-%ld%%%ld", q->elements - 1, q->throttle));
    else if (q->elements > 0)
        proc_argv_push(&a, xasprintf("--array=0-%ld", q->elements - 1));
    push_text(&a, "--exclude", q->exclude);
    push_text(&a, "--dependency", q->dependency);
    push_resources(&a, q->res);
    push_text(&a, "--nodelist", q->node);
    proc_argv_push(&a, xstrdup(q->script));
    for (size_t i = 0; q->args[i]; i++)
        proc_argv_push(&a, xstrdup(q->args[i]));
    return a.word;
}

/* --- refusals ----------------------------------------------------------------------------- */

enum slurm_outcome slurm_classify_refusal(const char *text)
{
    static const struct {
        const char *words;
        enum slurm_outcome outcome;
    } known[] = {
        /* Limits on the number of jobs in the queue: QOSMaxSubmitJobPerUserLimit,
         * AssocMaxSubmitJobLimit, QOSGrpSubmitJobsLimit, MaxSubmitAccount... The general words
         * below may stand in the same text, so these come first. */
        {"SubmitJob", SUBMIT_LIMIT},
        {"MaxSubmit", SUBMIT_LIMIT},
        {"GrpSubmit", SUBMIT_LIMIT},
        /* Other limits: waiting does not help. */
        {"QOSMax", SUBMIT_REFUSED},
        {"QOSGrp", SUBMIT_REFUSED},
        {"QOSMin", SUBMIT_REFUSED},
        {"QOSTime", SUBMIT_REFUSED},
        {"AssocMax", SUBMIT_REFUSED},
        {"AssocGrp", SUBMIT_REFUSED},
        {"AssocTime", SUBMIT_REFUSED},
        {"Job violates accounting/QOS policy", SUBMIT_LIMIT},
        {"Slurm temporarily unable to accept job", SUBMIT_LIMIT},
        {"Resource temporarily unavailable", SUBMIT_LIMIT},
        {"Requested operation is presently disabled", SUBMIT_LIMIT},
        {"Too many", SUBMIT_LIMIT},
    };
    if (slurm_says_silent(text))
        return SUBMIT_UNKNOWN;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcasestr(text, known[i].words))
            return known[i].outcome;
    return SUBMIT_REFUSED;
}

enum slurm_outcome slurm_submit(const struct slurm_request *q, long *job, char why[SLURM_WHY])
{
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    OWNED_TEXTS char **argv = slurm_sbatch_argv(q);
    enum slurm_outcome o = SUBMIT_UNKNOWN;
    *job = 0;
    switch (slurm_call(argv, &out, why)) {
    case SLURM_ANSWERED:
        *job = slurm_parse_submitted(out.s);
        if (*job > 0)
            o = SUBMIT_DONE;
        else
            snprintf(why, SLURM_WHY, "sbatch printed no line with only the number of a job");
        break;
    case SLURM_SILENT:
        break;
    case SLURM_REFUSED:
        o = slurm_classify_refusal(why);
        break;
    }
    return o;
}
