#include "slurm/query.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"

enum {
    QUERY_TIMEOUT_MS = 30000,
    OUTPUT_MAX = 64 << 20,
    NAMES_PER_CANCEL = 500,
    MOST_TASKS = 200000 /* in one answer: what a class has, many times over, in bounded memory */
};

/* --- calling ------------------------------------------------------------------------------ */

/* Inside a job, SLURM_* describe that job and would change what sbatch asks for; SQUEUE_*, SACCT_*
 * and SINFO_* filter and format listings. What names the cluster stays, and so do a site's
 * SBATCH_ACCOUNT and the like; those that would make sbatch do something else go. */
static bool unwanted(const char *var)
{
    static const char *const keep[] = {
        "SLURM_CONF=", "SLURM_CONF_SERVER=", "SLURM_CLUSTERS=", "SLURM_JWT="};
    static const char *const drop[] = {"SLURM_",           "SLURMD_",        "SQUEUE_",
                                       "SACCT_",           "SINFO_",         "SCANCEL_",
                                       "SCONTROL_",        "SBATCH_WAIT",    "SBATCH_ARRAY_INX",
                                       "SBATCH_TEST_ONLY", "SBATCH_REQUEUE", "SBATCH_NO_REQUEUE"};
    for (size_t i = 0; i < sizeof keep / sizeof keep[0]; i++)
        if (strncmp(var, keep[i], strlen(keep[i])) == 0)
            return false;
    for (size_t i = 0; i < sizeof drop / sizeof drop[0]; i++)
        if (strncmp(var, drop[i], strlen(drop[i])) == 0)
            return true;
    return false;
}

static char **clean_environment(void)
{
    size_t n = 0, k = 0;
    while (environ[n])
        n++;
    char **env = xcalloc(n + 2, sizeof *env);
    env[k++] = (char *)"SLURM_BITSTR_LEN=0"; /* lists of array elements in full */
    for (size_t i = 0; i < n; i++)
        if (!unwanted(environ[i]))
            env[k++] = environ[i];
    return env;
}

static bool contains(const char *text, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcasestr(text, words[i]))
            return true;
    return false;
}

bool slurm_says_silent(const char *text)
{
    static const char *const words[] = {
        "Unable to contact slurm controller",
        "Unable to contact slurm",
        "Socket timed out",
        "Connection refused",
        "Connection reset",
        "Connection timed out",
        "No route to host",
        "Zero Bytes were transmitted",
        "Transport endpoint is not connected",
        "Communication connection failure",
        "Communication shutdown failure",
        "Unexpected message received",
        "Message receive failure",
        "Message send failure",
        "Insane message length",
        "Slurm backup controller in standby mode",
        "in standby mode",
        "Protocol authentication error",
        "authentication credential",
        "munge",
        "Temporary failure in name resolution",
        "failed to open persistent connection",
        "Problem talking to the database",
        "Unable to connect to database",
    };
    return contains(text, words, sizeof words / sizeof words[0]);
}

/* All that was said, on one line, without the command's own prefix. */
static void one_line(const char *text, char *out, size_t cap)
{
    size_t n = 0;
    while (*text && n + 1 < cap) {
        const char *nl = strchr(text, '\n');
        size_t len = nl ? (size_t)(nl - text) : strlen(text);
        const char *p = text;
        const char *colon = len > 8 ? memmem(text, len < 40 ? len : 40, ": error: ", 9) : NULL;
        if (colon)
            p = colon + 9;
        size_t rest = len - (size_t)(p - text);
        if (rest && n + 3 < cap) {
            if (n) {
                out[n++] = ';';
                out[n++] = ' ';
            }
            size_t room = cap - 1 - n;
            if (rest > room)
                rest = room;
            memcpy(out + n, p, rest);
            n += rest;
        }
        text += len + (nl != NULL);
    }
    out[n] = '\0';
}

enum slurm_answer slurm_call(char *const argv[], int timeout_ms, struct strbuf *out,
                             char why[SLURM_WHY])
{
    char **env = clean_environment();
    const struct proc_spec spec = {
        .argv = argv, .env = env, .output_max = OUTPUT_MAX, .timeout_ms = timeout_ms};
    struct proc_result r;
    struct err e = ERR_INIT;
    enum slurm_answer a = SLURM_REFUSED;
    strbuf_clear(out);
    if (proc_run(&spec, &r, &e) != 0) {
        snprintf(why, SLURM_WHY, "%.500s", e.text);
    } else {
        one_line(r.err.s, why, SLURM_WHY);
        strbuf_add(out, r.out.s, r.out.len);
        if (proc_ok(&r)) {
            a = SLURM_ANSWERED;
        } else if (r.timed_out || WIFSIGNALED(r.status) || slurm_says_silent(r.err.s)) {
            a = SLURM_SILENT;
        }
        if (a != SLURM_ANSWERED && !why[0]) {
            char how[128];
            proc_describe(&r, how, sizeof how);
            snprintf(why, SLURM_WHY, "%s: %s", argv[0], how);
        }
    }
    proc_result_free(&r);
    free(env);
    return a;
}

/* --- parsing ------------------------------------------------------------------------------ */

static struct slurm_element *add(struct slurm_list *l)
{
    /* Grow in powers of two. */
    if ((l->count & (l->count - 1)) == 0)
        l->item = xrealloc_array(l->item, l->count ? 2 * l->count : 1, sizeof *l->item);
    struct slurm_element *x = &l->item[l->count++];
    *x = (struct slurm_element){.job = -1, .task = -1, .by = -1};
    return x;
}

void slurm_list_free(struct slurm_list *l)
{
    free(l->item);
    *l = (struct slurm_list){0};
}

const struct slurm_element *slurm_list_find(const struct slurm_list *l, long job, long task)
{
    for (size_t i = 0; i < l->count; i++)
        if (l->item[i].job == job && l->item[i].task == task)
            return &l->item[i];
    return NULL;
}

static long number(const char *s, const char **end)
{
    if (!isdigit((unsigned char)*s))
        return -1;
    char *p;
    long v = strtol(s, &p, 10);
    if (end)
        *end = p;
    return v;
}

static void take(char *out, size_t cap, const char *s, size_t n)
{
    if (n >= cap)
        n = cap - 1;
    memcpy(out, s, n);
    out[n] = '\0';
}

/* Split the line [s, s+n) at '|' into at most max fields; the last one takes the rest. */
static size_t fields(const char *s, size_t n, const char **at, size_t *len, size_t max)
{
    size_t k = 0;
    while (k < max) {
        const char *bar = k + 1 < max ? memchr(s, '|', n) : NULL;
        at[k] = s;
        len[k++] = bar ? (size_t)(bar - s) : n;
        if (!bar)
            break;
        n -= (size_t)(bar - s) + 1;
        s = bar + 1;
    }
    return k;
}

static const char *next_line(const char *text, size_t *len)
{
    const char *nl = strchr(text, '\n');
    *len = nl ? (size_t)(nl - text) : strlen(text);
    return nl ? nl + 1 : text + *len;
}

void slurm_parse_queue(const char *text, struct slurm_list *out)
{
    while (*text) {
        size_t n, len[6];
        const char *line = text, *at[6];
        text = next_line(text, &n);
        if (fields(line, n, at, len, 6) != 6 || number(at[0], NULL) < 0)
            continue;
        struct slurm_element *x = add(out);
        x->job = number(at[0], NULL);
        x->task = number(at[1], NULL); /* "N/A": no array */
        take(x->state, sizeof x->state, at[2], len[2]);
        take(x->node, sizeof x->node, at[3], len[3]);
        take(x->reason, sizeof x->reason, at[4], len[4]);
        take(x->name, sizeof x->name, at[5], len[5]);
    }
}

/* Elements that never started share one line: "[4-9,12%2]" or "4-9,12%2". One entry for each. */
static void add_tasks(struct slurm_list *l, const struct slurm_element *x, const char *tasks)
{
    tasks += *tasks == '[';
    while (isdigit((unsigned char)*tasks)) {
        const char *end = tasks;
        long first = number(tasks, &end), last = first, step = 1;
        if (*end == '-')
            last = number(end + 1, &end);
        if (last < first || last - first > MOST_TASKS)
            return;
        if (*end == ':') /* 0-8:2 */
            step = number(end + 1, &end);
        long count = step > 0 ? (last - first) / step + 1 : 0;
        if (!count || l->count + (size_t)count > MOST_TASKS)
            return;
        for (long i = 0; i < count; i++) {
            struct slurm_element *one = add(l);
            *one = *x;
            one->task = first + i * step;
        }
        tasks = end + (*end == ',');
    }
}

void slurm_parse_sacct(const char *text, struct slurm_list *out)
{
    while (*text) {
        size_t n, len[4];
        const char *line = text, *at[4], *end;
        text = next_line(text, &n);
        if (fields(line, n, at, len, 4) != 4 || number(at[0], &end) < 0)
            continue;
        struct slurm_element x = {.job = number(at[0], NULL), .task = -1, .by = -1};
        take(x.state, sizeof x.state, at[1], len[1]);
        if (strncmp(x.state, "CANCELLED by ", 13) == 0)
            x.by = number(x.state + 13, NULL);
        x.state[strcspn(x.state, " +")] = '\0';
        take(x.node, sizeof x.node, at[2], len[2]);
        if (strncmp(x.node, "None", 4) == 0)
            x.node[0] = '\0';
        take(x.reason, sizeof x.reason, at[3], len[3]);
        if (*end == '_')
            add_tasks(out, &x, end + 1);
        else
            *add(out) = x;
    }
}

/* The value of " Key=" in a line, up to the next blank. */
static bool value(const char *line, size_t n, const char *key, char *out, size_t cap)
{
    size_t k = strlen(key);
    const char *p = line, *end = line + n;
    while ((p = memmem(p, (size_t)(end - p), key, k))) {
        if (p == line || p[-1] == ' ') {
            size_t len = 0;
            while (p + k + len < end && p[k + len] != ' ')
                len++;
            take(out, cap, p + k, len);
            return true;
        }
        p += k;
    }
    out[0] = '\0';
    return false;
}

void slurm_parse_scontrol(const char *text, struct slurm_list *out)
{
    while (*text) {
        size_t n;
        char job[32], array[32], task[4096], state[32], node[96], reason[160];
        const char *line = text;
        text = next_line(text, &n);
        if (!value(line, n, "JobId=", job, sizeof job) ||
            !value(line, n, "JobState=", state, sizeof state))
            continue;
        value(line, n, "NodeList=", node, sizeof node);
        value(line, n, "Reason=", reason, sizeof reason);
        struct slurm_element x = {.job = number(job, NULL), .task = -1, .by = -1};
        snprintf(x.state, sizeof x.state, "%s", state);
        snprintf(x.node, sizeof x.node, "%s", strcmp(node, "(null)") == 0 ? "" : node);
        snprintf(x.reason, sizeof x.reason, "%s", strcmp(reason, "None") == 0 ? "" : reason);
        if (value(line, n, "ArrayJobId=", array, sizeof array) &&
            value(line, n, "ArrayTaskId=", task, sizeof task)) {
            x.job = number(array, NULL);
            if (x.job >= 0)
                add_tasks(out, &x, task);
        } else if (x.job >= 0) {
            *add(out) = x;
        }
    }
}

long slurm_parse_max_array(const char *text)
{
    while (*text) {
        size_t n;
        const char *line = text;
        text = next_line(text, &n);
        if (strncmp(line, "MaxArraySize", 12) != 0)
            continue;
        const char *p = memchr(line, '=', n);
        return p ? number(p + 1 + strspn(p + 1, " "), NULL) : -1;
    }
    return -1;
}

/* --- questions ---------------------------------------------------------------------------- */

enum slurm_answer slurm_queue(const char *names, struct slurm_list *out, char why[SLURM_WHY])
{
    *out = (struct slurm_list){0};
    struct strbuf text = STRBUF_INIT;
    /* By user: the controller sends only this user's jobs. By name and not by number: unknown
     * numbers are an error, unknown names are not. */
    char *user = xasprintf("--user=%ld", (long)getuid());
    char *name = xasprintf("--name=%s", names);
    char *argv[] = {"squeue", "--noheader", "--array", user, name, "--format=%F|%K|%T|%N|%r|%j",
                    NULL};
    enum slurm_answer a = slurm_call(argv, QUERY_TIMEOUT_MS, &text, why);
    if (a == SLURM_ANSWERED)
        slurm_parse_queue(text.s, out);
    free(name);
    free(user);
    strbuf_free(&text);
    return a;
}

static enum slurm_answer from_scontrol(const char *jobs, struct slurm_list *out,
                                       char why[SLURM_WHY])
{
    struct strbuf text = STRBUF_INIT;
    enum slurm_answer a = SLURM_ANSWERED;
    char *list = xstrdup(jobs), *save = NULL;
    for (char *id = strtok_r(list, ",", &save); id; id = strtok_r(NULL, ",", &save)) {
        char *argv[] = {"scontrol", "--oneliner", "show", "job", id, NULL};
        enum slurm_answer one = slurm_call(argv, QUERY_TIMEOUT_MS, &text, why);
        if (one == SLURM_ANSWERED)
            slurm_parse_scontrol(text.s, out);
        else if (one == SLURM_SILENT)
            a = SLURM_SILENT;
        /* A refusal: forgotten already (MinJobAge). */
        if (a == SLURM_SILENT)
            break; /* nor would it answer the next one, at half a minute each */
    }
    free(list);
    strbuf_free(&text);
    return a;
}

bool slurm_unfinished(const char *state)
{
    static const char *const words[] = {"PENDING",   "RUNNING",  "CONFIGURING", "COMPLETING",
                                        "SUSPENDED", "REQUEUED", "RESIZING",    "SIGNALING",
                                        "STOPPED",   "STAGE_OUT"};
    return contains(state, words, sizeof words / sizeof words[0]);
}

/* The database may lag behind: what it believes to be going on still is no explanation. */
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
    struct strbuf text = STRBUF_INIT;
    char *argv[] = {"sacct",
                    "--noheader",
                    "--parsable2",
                    "--allocations",
                    "--format=JobID,State,NodeList,ExitCode",
                    "--jobs",
                    (char *)jobs,
                    NULL};
    enum slurm_answer a = slurm_call(argv, QUERY_TIMEOUT_MS, &text, why);
    if (a == SLURM_ANSWERED)
        slurm_parse_sacct(text.s, out);
    strbuf_free(&text);
    size_t known = out->count;
    drop_unfinished(out);
    /* No accounting, or its database is behind: the controller remembers for a while. */
    if (a != SLURM_ANSWERED || !known || out->count < known)
        a = from_scontrol(jobs, out, why);
    return a;
}

enum slurm_answer slurm_max_array_size(long *size, char why[SLURM_WHY])
{
    struct strbuf text = STRBUF_INIT;
    char *argv[] = {"scontrol", "show", "config", NULL};
    enum slurm_answer a = slurm_call(argv, QUERY_TIMEOUT_MS, &text, why);
    *size = a == SLURM_ANSWERED ? slurm_parse_max_array(text.s) : -1;
    strbuf_free(&text);
    return a;
}

int slurm_check_cluster(struct err *e)
{
    static const char advice[] = "grade on a login node of the cluster, or without --slurm on this "
                                 "machine";
    char *sbatch = proc_which("sbatch");
    if (!sbatch)
        return err_system(e, "sbatch: command not found; %s", advice);
    free(sbatch);
    struct strbuf text = STRBUF_INIT;
    char why[SLURM_WHY] = "";
    char *argv[] = {"scontrol", "show", "config", NULL};
    enum slurm_answer a = slurm_call(argv, QUERY_TIMEOUT_MS, &text, why);
    strbuf_free(&text);
    if (a != SLURM_REFUSED)
        return 0;
    return err_system(e, "this machine knows of no Slurm cluster; %s. (scontrol: %s)", advice, why);
}

static bool has_line(const char *text, const char *word, size_t n)
{
    while (*text) {
        size_t len;
        const char *line = text;
        text = next_line(text, &len);
        while (len && line[len - 1] == ' ')
            len--;
        if (len == n && memcmp(line, word, n) == 0)
            return true;
    }
    return false;
}

enum slurm_answer slurm_known_nodes(const char *names, struct strbuf *known, char why[SLURM_WHY])
{
    struct strbuf text = STRBUF_INIT;
    char *argv[] = {"sinfo", "--noheader", "--Node", "--format=%N", NULL};
    enum slurm_answer a = slurm_call(argv, QUERY_TIMEOUT_MS, &text, why);
    while (a == SLURM_ANSWERED && *names) {
        size_t n = strcspn(names, ",");
        if (n && has_line(text.s, names, n)) {
            if (known->len)
                strbuf_adds(known, ",");
            strbuf_add(known, names, n);
        }
        names += n + (names[n] == ',');
    }
    strbuf_free(&text);
    return a;
}

void slurm_cancel(char *const *ids, size_t count)
{
    while (count) {
        size_t n = count < NAMES_PER_CANCEL ? count : NAMES_PER_CANCEL;
        char **argv = xcalloc(n + 2, sizeof *argv);
        struct strbuf out = STRBUF_INIT;
        char why[SLURM_WHY];
        argv[0] = "scancel";
        for (size_t i = 0; i < n; i++)
            argv[i + 1] = ids[i];
        slurm_call(argv, QUERY_TIMEOUT_MS, &out, why);
        strbuf_free(&out);
        free(argv);
        ids += n;
        count -= n;
    }
}
