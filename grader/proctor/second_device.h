/*
 * second_device.h - compute-sanitizer, which looks for mistakes of kernels on a GPU: a driver runs
 * below it, and its report has their lines.
 */
#ifndef PROCTOR_SECOND_DEVICE_H
#define PROCTOR_SECOND_DEVICE_H

#include "model/result.h"
#include "proctor/unit_homes.h"

/* Its path, for the caller to free: on PATH or beside nvcc. NULL: there is none. */
char *second_device_tool(void);

/* What it can look for: the names of its tools, NULL-terminated. */
extern const char *const second_device_checks[];

/* The words that run a driver below it, for driver_spec.tool. Free with proc_argv_free(). */
char **second_device_words(const char *tool, const char *check, const struct unit_homes *homes);

/* Read the report of a driver that has ended, and remark what it says of the files in `sources`,
 * but for adapters. Each place once. */
void second_device_remark(const struct unit_homes *homes, const char *check, const char *sources,
                          struct unit_result *r);

#endif
