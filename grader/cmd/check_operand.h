/*
 * check_operand.h - what `paragrade check` checks: a submission, or one tier or source of it; and
 * by which assignment.
 */
#ifndef CMD_CHECK_OPERAND_H
#define CMD_CHECK_OPERAND_H

#include "base/err.h"
#include "cmd/options.h"

struct checked {
    char *given;      /* the directory as people may type it: "." or "my_work" */
    char *dir;        /* absolute, for as long as it is there */
    char *assignment; /* a file */
    char **tiers;     /* only these; none: all */
    unsigned tiers_count;
};

/* From the command line: its only operand, NULL: this directory; its options -a, -t and --lf. tell:
 * say what was found without them. To be freed with checked_free(), after an error, too. */
int checked_find(struct checked *c, const struct options *o, const char *operand, bool tell,
                 struct err *e);
void checked_free(struct checked *c);

#endif
