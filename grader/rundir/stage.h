/*
 * stage.h - what a proctor is doing at the moment. The proctor writes it to its log, and the front
 * end shows it. This is only told to people: nothing depends on it.
 */
#ifndef RUNDIR_STAGE_H
#define RUNDIR_STAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the proctor: a few words, such as "building". */
void stage_enter(const char *words);
/* A step of a stage, such as one case, that is over at once nearly always. Nothing is written
 * unless it takes long: then stage_tick() says how long, and of how much. limit_ms: 0 is none. */
void stage_step(int64_t limit_ms, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* No step is going on. */
void stage_step_end(void);
/* Call this while a step goes on; it says so about once a second. now: CLOCK_MONOTONIC, ns. */
void stage_tick(uint64_t now);
/* The stage of a unit that is built, and waits until others have been checked and timed. */
#define STAGE_TURN "waiting for its turn"
/* How the stages begin in which other runs are waited for. */
#define STAGE_OTHERS "waiting for "
/* How the stages begin that are about the record of the node. */
#define STAGE_NODE "measuring this node"
/* Such a stage, with the time that it is expected to take. */
void stage_enter_node(double seconds);
/* Long enough for the words of every stage. */
enum { STAGE_TEXT = 160 };

/* The last stage in the text of a proctor's log. False, and an empty string, if there is none. */
bool stage_last_in(const char *text, char *out, size_t cap);
/* The same of a log in a file. */
bool stage_last(const char *log, char *out, size_t cap);

/* The same of the newest proctor on this machine that runs or ran a unit. */
bool stage_of_unit(const char *run, const char *unit_id, char *out, size_t cap);

/* Remove the lines of stages from the text of a log. */
void stage_remove_lines(char *text);

#endif
