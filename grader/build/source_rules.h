/*
 * source_rules.h - what the text of a submission says that the assignment may forbid, or that a
 * person is to know: before it is compiled, so that the sources find nothing of a build that was
 * not there when the compiler read them.
 */
#ifndef BUILD_SOURCE_RULES_H
#define BUILD_SOURCE_RULES_H

#include "base/err.h"
#include "base/proc.h"
#include "build/build.h"
#include "build/build_inputs.h"

/* Fill b->outside, and b->options if the tier asks for it. base, argv: how the compile command will
 * be run. What the preprocessor takes is time of the build. -1: the machine fails. */
int source_rules_look(struct build *b, const struct build_job *job, const struct build_inputs *p,
                      const struct proc_spec *base, char *const *argv, struct err *e);

#endif
