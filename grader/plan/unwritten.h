/*
 * unwritten.h - is a source still what `paragrade start` wrote?
 */
#ifndef PLAN_UNWRITTEN_H
#define PLAN_UNWRITTEN_H

#include <stdbool.h>

#include "plan/source_choice.h"

/* The words in the first comment of every template and stub. */
#define UNWRITTEN_MARK "your turn"

/* Does the text hold the mark, and no statement but "(void)name"? `header`, such as "gemm.h", is
 * the only own header that it may include: another one could hold the function. */
bool source_is_unwritten(const char *text, const char *header);

/* Such a source, which was copied to `dir`, is missing: it is not graded. */
void unwritten_settle(struct choice *c, const char *dir, const struct tier *t);

#endif
