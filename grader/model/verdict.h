/*
 * verdict.h - what can be said about a unit or a case, and whose fault it is.
 *
 * Defined once, in verdict.def; the order there is the order of severity.
 */
#ifndef MODEL_VERDICT_H
#define MODEL_VERDICT_H

#include <stdbool.h>

enum verdict {
#define VERDICT(id, name, fault, summary) VERDICT_##id,
#include "model/verdict.def"
#undef VERDICT
    VERDICT_COUNT
};

enum fault { FAULT_NOBODY, FAULT_STUDENT, FAULT_INFRA };

const char *verdict_name(enum verdict v);    /* "wrong-answer" */
const char *verdict_summary(enum verdict v); /* one sentence for people */
enum fault verdict_fault(enum verdict v);
/* By name; false when there is none of that name. */
bool verdict_parse(const char *name, enum verdict *v);
/* The one that decides a unit's verdict when its cases differ. */
enum verdict verdict_worse(enum verdict a, enum verdict b);

#endif
