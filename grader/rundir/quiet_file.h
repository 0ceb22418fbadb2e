/*
 * quiet_file.h - the file whose bytes the proctors of a user lock on this machine
 * (measure/timing_lock.h). It is in no run, because it is for all of them.
 */
#ifndef RUNDIR_QUIET_FILE_H
#define RUNDIR_QUIET_FILE_H

#define QUIET_FILE_DIR "/tmp"

/* Open it, and create it if need be. dir: QUIET_FILE_DIR but for tests. -1: it cannot be opened, or
 * it belongs to another user, who must not make us wait. */
int quiet_file_open(const char *dir);

#endif
