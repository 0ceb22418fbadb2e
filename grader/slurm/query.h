/*
 * query.h - asking Slurm, through its own commands and from argument vectors.
 *
 * Every question has three outcomes: an answer; silence (no controller, a time-out: ask again
 * later, conclude nothing); a refusal (the question was wrong, Slurm says why).
 */
#ifndef SLURM_QUERY_H
#define SLURM_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

enum slurm_answer { SLURM_ANSWERED, SLURM_SILENT, SLURM_REFUSED };

#define SLURM_WHY 600

/* Run a Slurm command with an environment from which options of the surrounding job and personal
 * defaults for listings are removed. *out is cleared and receives stdout; why[] receives what Slurm
 * said on stderr, on one line. */
enum slurm_answer slurm_call(char *const argv[], int timeout_ms, struct strbuf *out,
                             char why[SLURM_WHY]);

/* Do words on a Slurm command's stderr mean that nobody was there to answer? */
bool slurm_says_silent(const char *text);

/* One array element, or a job that is no array (task -1). */
struct slurm_element {
    long job;
    long task;
    char name[160];
    char state[32]; /* "RUNNING", "PENDING", "NODE_FAIL"; what follows a blank is cut off */
    char node[96];
    char reason[160];
    long by; /* history: user who cancelled it; -1 unknown */
};

struct slurm_list {
    struct slurm_element *item;
    size_t count;
};

void slurm_list_free(struct slurm_list *l);
const struct slurm_element *slurm_list_find(const struct slurm_list *l, long job, long task);

/* What of this user's jobs with these comma-separated names is in the queue, element by element.
 * One query. */
enum slurm_answer slurm_queue(const char *names, struct slurm_list *out, char why[SLURM_WHY]);

/* What became of these comma-separated jobs: sacct, and where there is no accounting scontrol.
 * Elements of which nothing is known are absent. Those that the controller itself says have not
 * ended are there with such a state (slurm_unfinished); the accounting's word is not enough. */
enum slurm_answer slurm_history(const char *jobs, struct slurm_list *out, char why[SLURM_WHY]);

/* Is it a state of a job that has not ended? */
bool slurm_unfinished(const char *state);

/* Is there a cluster to grade on? 0 also when it does not answer just now; -1 (e): this machine
 * has none. */
int slurm_check_cluster(struct err *e);

/* MaxArraySize: one more than the largest index. */
enum slurm_answer slurm_max_array_size(long *size, char why[SLURM_WHY]);

/* Of a comma-separated list of names, those that are nodes of the cluster. */
enum slurm_answer slurm_known_nodes(const char *names, struct strbuf *known, char why[SLURM_WHY]);

/* End jobs ("12", "12_3"); argv-like list. Failure is of no consequence. */
void slurm_cancel(char *const *ids, size_t count);

/* --- parsing, for tests ------------------------------------------------------------------- */

void slurm_parse_queue(const char *text,
                       struct slurm_list *out); /* job|task|state|node|reason|name */
void slurm_parse_sacct(const char *text, struct slurm_list *out); /* job[_task]|state|node|exit */
void slurm_parse_scontrol(const char *text, struct slurm_list *out); /* scontrol -o show job */
long slurm_parse_max_array(const char *text); /* scontrol show config; -1 when not there */

#endif
