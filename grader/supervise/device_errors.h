/* device_errors.h - what errors mean that CUDA reports. */
#ifndef SUPERVISE_DEVICE_ERRORS_H
#define SUPERVISE_DEVICE_ERRORS_H

#include "model/verdict.h"

struct device_error {
    const char *name;
    enum verdict verdict; /* VERDICT_INFRA_ERROR: the node's fault */
    const char *advice;   /* follows the error's own text; may be empty */
};

/* A name that is not known means that the student's kernel ran and failed. */
const struct device_error *device_error_find(const char *name);

#endif
