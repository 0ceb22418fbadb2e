/*
 * timing_lock.h - while a unit is timed, no other proctor of the same user builds or checks on
 * cores that share caches or memory bandwidth with it; and how many units of a run are checked or
 * timed at the same time.
 *
 * There is a readers-writer lock for each domain of cores (measure/core_domains.h). A proctor takes
 * those of all domains that have some of its cores, in ascending order: shared to build and to
 * check, exclusive to time. Each of these locks has a gate. Everybody passes the gate on the way to
 * the lock, and who waits for the lock keeps the gate shut. So nobody is overtaken by those who
 * come later. One more lock, for each run, makes its proctors measure the record of the node one
 * after the other. And each run has as many turns as it may check or time units at the same time.
 * A proctor builds without a turn, so the next unit is built while this one is checked. Its
 * compiler stands still while somebody times (proctor/give_way.h).
 *
 * Who takes the lock of a domain writes its run into the file, so that others can say whom they
 * wait for. Nothing depends on it.
 *
 * All of these are locks on bytes of one file. The system releases them when a process ends. There
 * is no exclusion where every job has its own /tmp, or where the file cannot be opened.
 */
#ifndef MEASURE_TIMING_LOCK_H
#define MEASURE_TIMING_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/cores.h"

struct timing_lock {
    int fd;               /* -1: no exclusion */
    struct cores domains; /* of this proctor, as core_domains() names them */
    const char *run;      /* directory; what the domains' locks are taken for, as others are told */
    long long first;      /* byte of the first domain */
    bool shared;          /* the domains are locked, and not exclusively */
    bool offer_no_wait;   /* a message about waiting names the option --no-wait */
    uint64_t waited_ns;   /* time spent waiting so far: the units' limits do not run meanwhile */
};

/* dir: where the file lies (rundir/quiet_file.h). run: directory; it must live as long as the lock.
 * cores: of this proctor. NULL: nothing is kept quiet, and only records have a lock. */
void timing_lock_open(struct timing_lock *l, const char *dir, const char *run,
                      const struct cores *cores);
/* Exclude the proctors of this run only, before anything is locked: it does not wait for others,
 * nor they for it. */
void timing_lock_only_own(struct timing_lock *l);
bool timing_lock_is_only_own(const struct timing_lock *l);

/* Each of these releases what is held, and then waits for the new lock. They return without it when
 * the proctor is told to stop (proctor_catch_signals() must have been called). All return how long
 * this took, ns: a caller whose limits run puts them off by this time. */
uint64_t timing_lock_share(struct timing_lock *l);     /* until nothing is timed */
uint64_t timing_lock_exclusive(struct timing_lock *l); /* until nothing is built, checked, timed */
/* As exclusive, and until no other proctor measures a record for this run. */
uint64_t timing_lock_record(struct timing_lock *l);

/* As share, and with one of this many turns of the run. The turn is kept until it is given up, or
 * the lock is closed. */
uint64_t timing_lock_turn(struct timing_lock *l, int turns);
/* Give it up, and nothing else. */
void timing_lock_end_turn(struct timing_lock *l);

/* Does somebody wait to time on cores of a domain that this proctor shares? */
bool timing_lock_is_wanted(const struct timing_lock *l);
/* Let him, and share again when he has done so. Nothing is said of it. As timing_lock_share(). */
uint64_t timing_lock_give_way(struct timing_lock *l);

/* Give up all but the turn. */
void timing_lock_release(struct timing_lock *l);

/* From exclusive to shared. It does not wait, and nobody else gets the lock in between. */
void timing_lock_downgrade(struct timing_lock *l);

void timing_lock_close(struct timing_lock *l);

#endif
