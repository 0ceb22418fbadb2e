/*
 * proctor_status.h - the exit status of a proctor, for itself and for who starts it. 0: every unit
 * has a result.
 */
#ifndef RUNDIR_PROCTOR_STATUS_H
#define RUNDIR_PROCTOR_STATUS_H

enum { PROCTOR_BAD_USAGE = 2, PROCTOR_INFRASTRUCTURE = 75 };

#endif
