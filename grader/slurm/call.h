/*
 * call.h - running one of Slurm's commands, from an argument vector.
 *
 * Every question has three outcomes: an answer; silence (no controller, a time-out: ask again
 * later, conclude nothing); a refusal (the question was wrong, Slurm says why).
 */
#ifndef SLURM_CALL_H
#define SLURM_CALL_H

#include <stdbool.h>

#include "base/strbuf.h"

enum slurm_answer { SLURM_ANSWERED, SLURM_SILENT, SLURM_REFUSED };

#define SLURM_WHY 600

/* Run a Slurm command with an environment from which options of the surrounding job and personal
 * defaults for listings are removed. *out is cleared and receives stdout; why[] receives what Slurm
 * said on stderr, on one line. It may take half a minute. */
enum slurm_answer slurm_call(char *const argv[], struct strbuf *out, char why[SLURM_WHY]);

/* The same for a command that changes nothing: a request to stop (execute/stop.h) ends it, and the
 * answer is SLURM_SILENT. */
enum slurm_answer slurm_ask(char *const argv[], struct strbuf *out, char why[SLURM_WHY]);

/* Does the text that a Slurm command printed on stderr mean that nobody was there to answer? */
bool slurm_says_silent(const char *text);

#endif
