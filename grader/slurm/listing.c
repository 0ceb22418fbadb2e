#include "slurm/listing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

enum { MOST_TASKS = 200000 /* in one answer: far more than a class has, in bounded memory */ };

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

char *slurm_first_node(const char *list)
{
    struct strbuf first = STRBUF_INIT;
    for (; *list && *list != ','; list += *list != '\0') {
        if (*list != '[') {
            strbuf_add(&first, list, 1);
            continue;
        }
        const size_t n = strspn(++list, "0123456789");
        strbuf_add(&first, list, n);
        list += strcspn(list, "]");
    }
    return strbuf_detach(&first);
}

bool slurm_is_held(const struct slurm_element *x)
{
    return strstr(x->reason, "requeued held") || strstr(x->reason, "requeued_held");
}

bool slurm_ordinary_reason(const char *reason)
{
    static const char *const known[] = {"None",
                                        "Priority",
                                        "Resources",
                                        "Dependency",
                                        "BeginTime",
                                        "JobArrayTaskLimit",
                                        "Cleaning",
                                        "Prolog",
                                        "QOSMaxJobsPerUserLimit",
                                        "QOSMaxCpuPerUserLimit",
                                        "AssocMaxJobsLimit"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(reason, known[i]) == 0)
            return true;
    return !*reason;
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

void slurm_parse_queue(const char *text, struct slurm_list *out)
{
    while (*text) {
        size_t n, len[6];
        const char *line = text, *at[6];
        text = next_line(text, &n);
        if (fields(line, n, at, len, 6) != 6 || number(at[0], NULL) < 0)
            continue;
        struct slurm_element x = {.job = number(at[0], NULL), .task = -1, .by = -1};
        take(x.state, sizeof x.state, at[2], len[2]);
        take(x.node, sizeof x.node, at[3], len[3]);
        take(x.reason, sizeof x.reason, at[4], len[4]);
        take(x.name, sizeof x.name, at[5], len[5]);
        if (number(at[1], NULL) >= 0)
            add_tasks(out, &x, at[1]);
        else
            *add(out) = x; /* "N/A": no array */
    }
}

void slurm_parse_sacct(const char *text, struct slurm_list *out)
{
    while (*text) {
        size_t n, len[5];
        const char *line = text, *at[5], *end;
        text = next_line(text, &n);
        if (fields(line, n, at, len, 5) != 5 || number(at[0], &end) < 0)
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
        if (len[4] && isdigit((unsigned char)*at[4])) /* not "Unknown" */
            take(x.end, sizeof x.end, at[4], len[4]);
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
        char end[24];
        const char *line = text;
        text = next_line(text, &n);
        if (!value(line, n, "JobId=", job, sizeof job) ||
            !value(line, n, "JobState=", state, sizeof state))
            continue;
        value(line, n, "NodeList=", node, sizeof node);
        value(line, n, "Reason=", reason, sizeof reason);
        value(line, n, "EndTime=", end, sizeof end);
        struct slurm_element x = {.job = number(job, NULL), .task = -1, .by = -1};
        snprintf(x.state, sizeof x.state, "%s", state);
        snprintf(x.node, sizeof x.node, "%s", strcmp(node, "(null)") == 0 ? "" : node);
        snprintf(x.reason, sizeof x.reason, "%s", strcmp(reason, "None") == 0 ? "" : reason);
        if (isdigit((unsigned char)*end))
            snprintf(x.end, sizeof x.end, "%s", end);
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

/* N or N;cluster, and blanks around it. 0: the line is something else. */
static long submitted(const char *line, size_t n)
{
    while (n && isspace((unsigned char)line[n - 1]))
        n--;
    while (n && isspace((unsigned char)*line))
        line++, n--;
    const size_t digits = n ? strspn(line, "0123456789") : 0;
    if (!digits || digits > n || digits > 10 || (digits < n && line[digits] != ';'))
        return 0;
    for (size_t i = digits + 1; i < n; i++)
        if (!isalnum((unsigned char)line[i]) && !strchr("_-.", line[i]))
            return 0;
    return digits + 1 == n ? 0 : number(line, NULL);
}

long slurm_parse_submitted(const char *text)
{
    long job = 0;
    while (*text) {
        size_t n;
        const char *line = text;
        text = next_line(text, &n);
        const long one = submitted(line, n);
        job = one > 0 ? one : job;
    }
    return job;
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

bool slurm_has_line(const char *text, const char *word, size_t n)
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
