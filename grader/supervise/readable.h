/*
 * readable.h - what every sandbox may read: the system's directories, the world-readable part of
 * /etc, toolchains found through PATH, and the programs and headers of the grader.
 *
 * These are some hundred files and directories, the same for every compiler and driver of a
 * proctor. So a policy can keep them opened.
 */
#ifndef SUPERVISE_READABLE_H
#define SUPERVISE_READABLE_H

#include <stdbool.h>

#include "supervise/sandbox.h"

/* Opened files and directories. */
struct readable;

/* `fd`: opened with O_PATH. */
typedef void readable_fn(void *with, int fd, bool is_dir);

/* Call `f` for each file and directory. */
void readable_each(const struct sandbox_policy *p, readable_fn *f, void *with);

/* Open all of them for readable_each(). NULL if there are too many. */
struct readable *readable_open(const struct sandbox_policy *p);
void readable_close(struct readable *r);

/* Is the path, which is resolved, kept out of every sandbox? */
bool readable_withheld(const struct sandbox_policy *p, const char *path);

#endif
