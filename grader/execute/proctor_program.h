/* proctor_program.h - which program executors start for a unit. */
#ifndef EXECUTE_PROCTOR_PROGRAM_H
#define EXECUTE_PROCTOR_PROGRAM_H

/* Path of the proctor, which need not exist; the caller frees it. Tests name another program in the
 * environment variable PARAGRADE_PROCTOR. */
char *execute_proctor(void);

#endif
