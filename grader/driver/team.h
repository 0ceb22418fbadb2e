/*
 * team.h - threads as an OpenMP runtime starts them, one on each core of this process. They spin
 * between two runs.
 *
 * To resume and to halt several threads takes longer than to resume and to halt one. The proctor
 * times this before the library is loaded, with runs of a team that computes nothing.
 */
#ifndef DRIVER_TEAM_H
#define DRIVER_TEAM_H

/* One run: each of OMP_NUM_THREADS threads begins and ends it. The first call starts the threads.
 */
void team_run(void);

/* End the threads, if there are any. The caller may use all cores of the process again. */
void team_end(void);

#endif
