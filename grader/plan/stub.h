/* stub.h - a source that compiles and computes nothing: what a student begins with. */
#ifndef PLAN_STUB_H
#define PLAN_STUB_H

#include "base/strbuf.h"
#include "model/assignment.h"

/* Append the source of a tier. name: of its file, which says what language it is in. */
void stub_add(struct strbuf *to, const struct tier *t, const char *name);

#endif
