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

int output_write(const char *path, const void *data, size_t len, struct err *e);

/* The path as people see it (base/display_path.h), or "standard output". The caller frees it. */
char *output_shown(const char *path);

#endif
