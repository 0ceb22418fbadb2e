/*
 * unit_record.h - the result of a unit while it is put together.
 */
#ifndef PROCTOR_UNIT_RECORD_H
#define PROCTOR_UNIT_RECORD_H

#include "model/result.h"
#include "proctor/node_context.h"
#include "rundir/plan.h"

/* A result that says nothing yet. The caller frees it with unit_result_free(). */
struct unit_result *unit_record_new(const struct node_context *n, const struct unit *u);

/* Replace a text of the result by `text`, which the result owns from now on. NULL: keep the old
 * text. */
void unit_record_text(char **field, char *text);

enum { RECORD_WORKERS = 64 };

/* Beside the case of a message: ", 4 threads" and the like; "" for one worker. */
void unit_record_workers(const struct tier *t, struct launch l, char out[RECORD_WORKERS]);

/* A verdict without any case. The result owns `message` from now on. */
void unit_record_verdict(struct unit_result *r, enum verdict v, char *message);

/* Which case under which launch. */
struct case_key {
    int case_index;
    int point;        /* of a sweep; 0 elsewhere */
    int launch_index; /* of the tier's launches; -1: a stress run */
    struct launch launch;
};

/* Are there more workers than cores, or more GPUs than this node has? */
bool launch_oversubscribed(struct launch l, int cores);

/* Add a case that was neither checked nor timed yet. cores: of the allocation. Valid until the next
 * case is added. */
struct case_result *unit_record_case(struct unit_result *r, const struct case_key *k, int cores);

/* Keep what the driver printed in a case that has failed, if it is the first one that failed. */
void unit_record_failure(struct unit_result *r, struct driver_process *d, int case_index);

/* Keep what the driver printed in this case, if no case has failed, and none has printed before. */
void unit_record_output(struct unit_result *r, const struct driver_process *d);

/* Keep the device's name and the peak memory of a driver, before it ends, and what it printed. */
void unit_record_driver(struct unit_result *r, const struct driver_process *d);

#endif
