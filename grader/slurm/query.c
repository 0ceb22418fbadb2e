#include "slurm/query.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"

enum { NAMES_PER_CANCEL = 500 };

enum slurm_answer slurm_queue(const char *names, struct slurm_list *out, char why[SLURM_WHY])
{
    *out = (struct slurm_list){0};
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    /* By user: the controller sends only this user's jobs. By name and not by number: unknown
     * numbers are an error, unknown names are not. */
    OWNED char *user = xasprintf("--user=%ld", (long)getuid());
    OWNED char *name = names ? xasprintf("--name=%s", names) : NULL;
    /* Without --array: one line for all elements of an array that wait. */
    char *argv[] = {"squeue", "--noheader", "--format=%F|%K|%T|%N|%r|%j", user, name, NULL};
    enum slurm_answer a = slurm_ask(argv, &text, why);
    if (a == SLURM_ANSWERED)
        slurm_parse_queue(text.s, out);
    return a;
}

static enum slurm_answer from_scontrol(const char *jobs, struct slurm_list *out,
                                       char why[SLURM_WHY])
{
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    enum slurm_answer a = SLURM_ANSWERED;
    char *list = xstrdup(jobs), *save = NULL;
    for (char *id = strtok_r(list, ",", &save); id; id = strtok_r(NULL, ",", &save)) {
        char *argv[] = {"scontrol", "--oneliner", "show", "job", id, NULL};
        enum slurm_answer one = slurm_ask(argv, &text, why);
        if (one == SLURM_ANSWERED)
            slurm_parse_scontrol(text.s, out);
        else if (one == SLURM_SILENT)
            a = SLURM_SILENT;
        /* Refused: the controller has forgotten the job already (MinJobAge). */
        if (a == SLURM_SILENT)
            break; /* it would not answer the next question, either: half a minute each */
    }
    free(list);
    return a;
}

bool slurm_unfinished(const char *state)
{
    static const char *const words[] = {"PENDING",   "RUNNING",  "CONFIGURING", "COMPLETING",
                                        "SUSPENDED", "REQUEUED", "RESIZING",    "SIGNALING",
                                        "STOPPED",   "STAGE_OUT"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(state, words[i]))
            return true;
    return false;
}

/* Drop elements that, by the database, have not ended: it may lag behind. */
static void drop_unfinished(struct slurm_list *l)
{
    size_t k = 0;
    for (size_t i = 0; i < l->count; i++)
        if (!slurm_unfinished(l->item[i].state))
            l->item[k++] = l->item[i];
    l->count = k;
}

enum slurm_answer slurm_history(const char *jobs, struct slurm_list *out, char why[SLURM_WHY])
{
    *out = (struct slurm_list){0};
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    char *argv[] = {"sacct",
                    "--noheader",
                    "--parsable2",
                    "--allocations",
                    "--format=JobID,State,NodeList,ExitCode,End",
                    "--jobs",
                    (char *)jobs,
                    NULL};
    enum slurm_answer a = slurm_ask(argv, &text, why);
    if (a == SLURM_ANSWERED)
        slurm_parse_sacct(text.s, out);
    size_t known = out->count;
    drop_unfinished(out);
    /* No accounting, or its database is behind: the controller remembers for a while. */
    if (a != SLURM_ANSWERED || !known || out->count < known)
        a = from_scontrol(jobs, out, why);
    return a;
}

enum slurm_answer slurm_max_array_size(long *size, char why[SLURM_WHY])
{
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    char *argv[] = {"scontrol", "show", "config", NULL};
    enum slurm_answer a = slurm_ask(argv, &text, why);
    *size = a == SLURM_ANSWERED ? slurm_parse_max_array(text.s) : -1;
    return a;
}

static const char advice[] = "grade on a login node of the cluster, or without --slurm on this "
                             "machine";

int slurm_check_commands(struct err *e)
{
    OWNED char *sbatch = proc_which("sbatch");
    if (!sbatch)
        return err_system(e, "sbatch: command not found; %s", advice);
    return 0;
}

int slurm_check_cluster(struct err *e)
{
    if (slurm_check_commands(e) != 0)
        return -1;
    /* Slurm's commands would wait a minute for this file. */
    const char *conf = getenv("SLURM_CONF");
    if (conf && *conf && access(conf, R_OK) != 0)
        return err_system(e,
                          "SLURM_CONF names %s, which cannot be read: %s; correct the variable, or "
                          "unset it",
                          conf, strerror(errno));
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    char why[SLURM_WHY] = "";
    char *argv[] = {"scontrol", "show", "config", NULL};
    enum slurm_answer a = slurm_ask(argv, &text, why);
    if (a != SLURM_REFUSED)
        return 0;
    return err_system(e, "this machine knows of no Slurm cluster; %s. (scontrol: %s)", advice, why);
}

enum slurm_answer slurm_known_nodes(const char *names, struct strbuf *known, char why[SLURM_WHY])
{
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    char *argv[] = {"sinfo", "--noheader", "--Node", "--format=%N", NULL};
    enum slurm_answer a = slurm_ask(argv, &text, why);
    while (a == SLURM_ANSWERED && *names) {
        size_t n = strcspn(names, ",");
        if (n && slurm_has_line(text.s, names, n)) {
            if (known->len)
                strbuf_adds(known, ",");
            strbuf_add(known, names, n);
        }
        names += n + (names[n] == ',');
    }
    return a;
}

static void cancel(const char *option, const char *name, char *const *ids, size_t count)
{
    while (count) {
        const size_t n = count < NAMES_PER_CANCEL ? count : NAMES_PER_CANCEL;
        struct proc_argv a = {0};
        FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
        char why[SLURM_WHY];
        proc_argv_push(&a, xstrdup("scancel"));
        if (option)
            proc_argv_push(&a, xstrdup(option));
        if (name)
            proc_argv_push(&a, xasprintf("--name=%s", name));
        for (size_t i = 0; i < n; i++)
            proc_argv_push(&a, xstrdup(ids[i]));
        slurm_call(a.word, &out, why);
        proc_argv_free(a.word);
        ids += n;
        count -= n;
    }
}

void slurm_cancel(const char *name, char *const *ids, size_t count)
{
    cancel(NULL, name, ids, count);
}

void slurm_cancel_waiting(const char *name, char *const *ids, size_t count)
{
    cancel("--state=PENDING", name, ids, count);
}

void slurm_allow_all_nodes(long job)
{
    FREED_BY(strbuf_free) struct strbuf out = STRBUF_INIT;
    char why[SLURM_WHY];
    OWNED char *id = xasprintf("jobid=%ld", job);
    char *argv[] = {"scontrol", "update", id, "excnodelist=", NULL};
    slurm_call(argv, &out, why);
}
