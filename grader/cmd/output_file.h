/*
 * output_file.h - a file that the user names on the command line, to be written. "-" is standard
 * output. Then messages belong on stderr.
 */
#ifndef CMD_OUTPUT_FILE_H
#define CMD_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

bool output_is_stdout(const char *path);

/* Can there be a file of this name? Ask before the work, so that a wrong path is wrong input, and
 * not a failure of the machine after all the work. */
int output_check(const char *path, struct err *e);

int output_write(const char *path, const void *data, size_t len, struct err *e);

/* The path as people see it (base/display_path.h), or "standard output". The caller frees it. */
char *output_shown(const char *path);

#endif
