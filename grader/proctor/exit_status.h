/*
 * exit_status.h - how a proctor ends; 0: every unit has a result.
 */
#ifndef PROCTOR_EXIT_STATUS_H
#define PROCTOR_EXIT_STATUS_H

enum { EXIT_BAD_USAGE = 2, EXIT_INFRASTRUCTURE = 75 };

#endif
