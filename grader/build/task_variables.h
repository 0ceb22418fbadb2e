/*
 * task_variables.h - variables that OpenMP tasks share, and that change while the tasks may still
 * have to run, as gcc understands the source (gimple.h). Some compilers give a task a copy of such
 * a variable, so no run shows the mistake. Pure.
 */
#ifndef BUILD_TASK_VARIABLES_H
#define BUILD_TASK_VARIABLES_H

/* "openmp.c:7: i changes, and tasks ..." for the first such place; "" when there is none. Only what
 * is wrong in every run counts: the assignment follows the task in the same block or around it, and
 * nothing between them could wait. The caller frees it. */
char *task_variables_read(const char *dump);

#endif
