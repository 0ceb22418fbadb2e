/*
 * second_device.h - how a GPU is looked at for hidden mistakes. compute-sanitizer looks for those
 * of kernels: a driver runs below it, and its report has their lines. Those between streams show
 * when the work of some begins late.
 */
#ifndef PROCTOR_SECOND_DEVICE_H
#define PROCTOR_SECOND_DEVICE_H

#include "model/result.h"
#include "proctor/unit_homes.h"
#include "supervise/driver_process.h"

/* Its path, for the caller to free: on PATH or beside nvcc. NULL: there is none. */
char *second_device_tool(void);

struct second_device_check {
    const char *name;       /* a tool of compute-sanitizer, unless something is late */
    enum late_streams late; /* else LATE_NONE */
    const char *wrong;      /* what gives wrong results ... */
    const char *cause;      /* ... and why; NULL: it may be several things */
};

/* The end is a name of NULL. */
extern const struct second_device_check second_device_checks[];

/* The words that run a driver below it, for driver_spec.tool. Free with proc_argv_free(). */
char **second_device_words(const char *tool, const char *check, const struct unit_homes *homes);

/* Read the report of a driver that has ended, and remark what it says of the files in `sources`,
 * but for adapters. Each place once. */
void second_device_remark(const struct unit_homes *homes, const char *check, const char *sources,
                          struct unit_result *r);

#endif
