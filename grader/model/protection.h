/*
 * protection.h - what may stand between student code and everybody else: the names that assignments
 * require, results record and `paragrade doctor` reports (protection.def).
 *
 * Sets are masks of PROTECTION_BIT(). What *could* be in force is asked of this machine; what *is*
 * in force around a compiler or driver only supervise/sandbox.c and session.c know.
 */
#ifndef MODEL_PROTECTION_H
#define MODEL_PROTECTION_H

#include <jansson.h>
#include <stdbool.h>

#include "base/err.h"

enum protection {
#define PROTECTION(identifier, name, compilers, lack) PROTECTION_##identifier,
#include "model/protection.def"
#undef PROTECTION
    PROTECTION_COUNT
};

#define PROTECTION_BIT(p) (1U << (p))

enum { PROTECTIONS_UNKNOWN = -1 }; /* in the place of a set: nothing was built or run */

const char *protection_name(enum protection p);
/* What it means to be without it and what helps: for people. */
const char *protection_lack(enum protection p);
/* False for what is no name of one. */
bool protection_parse(const char *name, enum protection *out);
/* All names, for KEYS-like lists; NULL-terminated. */
const char *const *protection_names(void);
/* Those that a compiler can have; drivers can have all. */
unsigned protection_of_compilers(void);

/* The names in a set, with `separator` between them. The caller frees it. */
char *protection_text(unsigned set, const char *separator);
/* The same as a list of strings, null for PROTECTIONS_UNKNOWN: a new reference. */
json_t *protection_json(int set);
/* The reverse. False for anything else. */
bool protection_from_json(const json_t *list, int *set);

/* What was in force from beginning to end: `built` around all compilers, `ran` around all drivers
 * (~0: there was none). Pure. */
int protection_throughout(unsigned built, unsigned ran);

/* Landlock's version on this kernel; 0: none. */
int protection_landlock_version(void);
/* Those that a domain of a Landlock version gives. Pure. */
unsigned protection_of_landlock(int version);
/* Those that come from what this process is: its account, its being a subreaper. */
unsigned protection_of_process(void);
/* All that units graded by this user on this machine, with this build, can have. */
unsigned protection_of_machine(void);

/* Is everything required there? 0; else -1 with what `who` ("the node n1") lacks and what that
 * means, as ERR_SYSTEM. Pure. */
int protection_check(unsigned required, unsigned have, const char *who, struct err *e);
/* The same of this machine before anything runs here, as ERR_INPUT, with what to do. */
int protection_check_here(unsigned required, struct err *e);

#endif
