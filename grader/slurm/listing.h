/*
 * listing.h - jobs and array elements as Slurm's commands list them. Pure.
 */
#ifndef SLURM_LISTING_H
#define SLURM_LISTING_H

#include <stdbool.h>
#include <stddef.h>

/* One array element, or a job that is no array (task -1). */
struct slurm_element {
    long job;
    long task;
    char name[160];
    char state[32]; /* "RUNNING", "PENDING", "NODE_FAIL"; what follows a blank is cut off */
    char node[96];
    char reason[160];
    long by;      /* history: user who cancelled it; -1 unknown */
    char end[24]; /* history: when it ended, so that the later one is the greater; "" unknown */
};

/* Initialise with {0}; the parsers append. */
struct slurm_list {
    struct slurm_element *item;
    size_t count;
};

void slurm_list_free(struct slurm_list *l);
/* NULL when it is not there. */
const struct slurm_element *slurm_list_find(const struct slurm_list *l, long job, long task);

/* The first one of a list of nodes as Slurm writes it: "n2" of "n[2-4,7],m1". On it runs the script
 * of a job. The caller frees it. */
char *slurm_first_node(const char *list);

/* A node could not start the element, and Slurm keeps it in the queue without starting it again. */
bool slurm_is_held(const struct slurm_element *x);

/* Is it a reason for which jobs wait in the normal course of things? Others are told to people. */
bool slurm_ordinary_reason(const char *reason);

/* Lines that cannot be parsed are passed over. */
void slurm_parse_queue(const char *text,
                       struct slurm_list *out); /* job|tasks|state|node|reason|name */
void slurm_parse_sacct(const char *text,
                       struct slurm_list *out); /* job[_task]|state|node|exit|end */
void slurm_parse_scontrol(const char *text, struct slurm_list *out); /* scontrol -o show job */
/* The number of the job in what `sbatch --parsable` printed: the last line that is only N or
 * N;cluster. Wrappers of sites print greetings and dates around it. 0: there is none. */
long slurm_parse_submitted(const char *text);
/* Of `scontrol show config`; -1 when it is not there. */
long slurm_parse_max_array(const char *text);

/* Is one of the lines the n bytes of `word`, but for blanks at its end? */
bool slurm_has_line(const char *text, const char *word, size_t n);

#endif
