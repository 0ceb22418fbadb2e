/*
 * verdict.h - the verdicts of units and cases, and whose fault each is.
 *
 * They are defined in verdict.def, in the order of severity.
 */
#ifndef MODEL_VERDICT_H
#define MODEL_VERDICT_H

#include <stdbool.h>

enum verdict {
#define VERDICT(id, name, brief, fault, summary) VERDICT_##id,
#include "model/verdict.def"
#undef VERDICT
    VERDICT_COUNT
};

enum fault { FAULT_NOBODY, FAULT_STUDENT, FAULT_INFRA };

const char *verdict_name(enum verdict v);    /* "wrong-answer" */
const char *verdict_brief(enum verdict v);   /* "wrong": at most 7 characters, for narrow tables */
const char *verdict_summary(enum verdict v); /* one sentence for people */
enum fault verdict_fault(enum verdict v);
/* Find a verdict by name. False if there is none. */
bool verdict_parse(const char *name, enum verdict *v);
/* The more severe of two: it decides the verdict of a unit whose cases differ. */
enum verdict verdict_worse(enum verdict a, enum verdict b);

#endif
