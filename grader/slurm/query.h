/*
 * query.h - the questions that Slurm is asked: one call of a command each, but for slurm_history().
 */
#ifndef SLURM_QUERY_H
#define SLURM_QUERY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "slurm/call.h"
#include "slurm/listing.h"

/* The elements of this user's jobs with these comma-separated names (NULL: with any name) that are
 * in the queue. */
enum slurm_answer slurm_queue(const char *names, struct slurm_list *out, char why[SLURM_WHY]);

/* What became of these comma-separated jobs, by sacct, and without accounting by scontrol. Elements
 * of which nothing is known are absent. Elements that have not ended by the word of the controller
 * itself are present with such a state (slurm_unfinished); the word of the accounting is not
 * enough.
 */
enum slurm_answer slurm_history(const char *jobs, struct slurm_list *out, char why[SLURM_WHY]);

/* Is it a state of a job that has not ended? */
bool slurm_unfinished(const char *state);

/* Are Slurm's commands here? 0, or -1 (e). Slurm is not asked. */
int slurm_check_commands(struct err *e);

/* Does this machine belong to a cluster? 0: yes, though it may not answer just now; -1: no (e). */
int slurm_check_cluster(struct err *e);

/* MaxArraySize: one more than the largest index. */
enum slurm_answer slurm_max_array_size(long *size, char why[SLURM_WHY]);

/* Of a comma-separated list of names, those that are nodes of the cluster. */
enum slurm_answer slurm_known_nodes(const char *names, struct strbuf *known, char why[SLURM_WHY]);

/* End jobs ("12", "12_3") if this is their name: a number may have been read wrongly. NULL: the
 * queue has just shown that they are ours. Failure is of no consequence. */
void slurm_cancel(const char *name, char *const *ids, size_t count);
/* The same for what waits in the queue; what runs goes on. */
void slurm_cancel_waiting(const char *name, char *const *ids, size_t count);

/* Let a job that waits run on nodes that it was told to avoid, too. Failure is of no consequence.
 */
void slurm_allow_all_nodes(long job);

#endif
