/* call_form.h - how the function of a kernel is called, as drivers are told. */
#ifndef SUPERVISE_CALL_FORM_H
#define SUPERVISE_CALL_FORM_H

#include "abi/protocol.h"
#include "kernel/kernel.h"

struct pg_form call_form_of(const struct kernel *k, struct shape s);

#endif
