/*
 * protection.h - what protects others from student code (protection.def). Assignments require these
 * names, results record them, and `paragrade doctor` reports them.
 *
 * Sets are masks of PROTECTION_BIT(). This file knows what can be in force on this machine. Only
 * supervise/ knows what is in force around a compiler or driver.
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

enum { PROTECTIONS_UNKNOWN = -1 }; /* instead of a set: nothing was built or run */

const char *protection_name(enum protection p);
/* What its absence means, and what would help: for people. */
const char *protection_lack(enum protection p);
/* False if there is no protection of that name. */
bool protection_parse(const char *name, enum protection *out);
/* All names, NULL-terminated. */
const char *const *protection_names(void);
/* The set of those that a compiler can have. Drivers can have all. */
unsigned protection_of_compilers(void);

/* The names in a set, with `separator` between them. The caller frees it. */
char *protection_text(unsigned set, const char *separator);
/* The same as a JSON list of strings, or null for PROTECTIONS_UNKNOWN. Returns a new reference. */
json_t *protection_json(int set);
/* The reverse of protection_json(). False if the value is neither such a list nor null. */
bool protection_from_json(const json_t *list, int *set);

/* The protections that were in force all the time. `built`: those of all compilers; `ran`: those of
 * all drivers (~0: no driver ran). Pure. */
int protection_throughout(unsigned built, unsigned ran);

/* The version of Landlock in this kernel of the system; 0: it has none. */
int protection_landlock_version(void);
/* The protections that this version of Landlock gives. Pure. */
unsigned protection_of_landlock(int version);
/* The protections that this process has: by its account, and as a subreaper. */
unsigned protection_of_process(void);
/* All protections that this user can have on this machine with this build. */
unsigned protection_of_machine(void);

/* 0 if `have` contains all that is required. Otherwise -1 and ERR_SYSTEM, with what `who` ("the
 * node n1") lacks and what that means. Pure. */
int protection_check(unsigned required, unsigned have, const char *who, struct err *e);
/* The same for this machine, before anything runs here: ERR_INPUT, with what to do. */
int protection_check_here(unsigned required, struct err *e);

#endif
