#include "slurm/nodes.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NODES_HINT "`sinfo -N` shows partitions and states; choose another one with --partition"

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* A state of a node that starts jobs, now or soon. An asterisk and other marks mean that it does
 * not answer, or is about to be switched off. */
static bool is_usable(const char *state)
{
    static const char *const states[] = {"idle", "mixed", "allocated", "completing", "planned"};
    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (strcmp(state, states[i]) == 0)
            return true;
    return false;
}

/* "main", or "main*" of the default partition. */
static bool is_partition(const char *name, const char *wanted)
{
    const size_t n = strcspn(name, "*");
    return wanted ? strlen(wanted) == n && strncmp(name, wanted, n) == 0 : name[n] == '*';
}

void slurm_parse_nodes(const char *text, const char *partition, char ***nodes, size_t *count,
                       size_t *all)
{
    char *copy = xstrdup(text), *save = NULL;
    *nodes = NULL;
    *count = *all = 0;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char *state = strchr(line, '|'), *name = state ? strchr(state + 1, '|') : NULL;
        if (!name)
            continue;
        *state++ = *name++ = '\0';
        if (!is_partition(name, partition))
            continue;
        ++*all;
        if (!is_usable(state))
            continue;
        *nodes = xrealloc_array(*nodes, *count + 1, sizeof **nodes);
        (*nodes)[(*count)++] = xstrdup(line);
    }
    if (*count)
        qsort(*nodes, *count, sizeof **nodes, by_name);
    free(copy);
}

int slurm_usable_nodes(const char *partition, char ***nodes, size_t *count, struct err *e)
{
    char *argv[] = {"sinfo", "--noheader", "--Node", "--format=%N|%T|%P", NULL};
    FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
    char why[SLURM_WHY] = "";
    const enum slurm_answer a = slurm_ask(argv, &text, why);
    size_t all = 0;
    int rc = 0;
    if (a != SLURM_ANSWERED)
        rc = err_system(e, "Slurm does not name its nodes: %s", why);
    else
        slurm_parse_nodes(text.s, partition, nodes, count, &all);
    if (rc == 0 && !all)
        rc = partition ? err_input(e, "there is no partition %s with nodes; " NODES_HINT, partition)
                       : err_input(e, "the default partition has no nodes; " NODES_HINT);
    else if (rc == 0 && !*count)
        rc = partition
                 ? err_system(e, "no node of the partition %s can run jobs; " NODES_HINT, partition)
                 : err_system(e, "no node of the default partition can run jobs; " NODES_HINT);
    return rc;
}
