/*
 * regrade_choice.h - which submissions the command line of a regrading means.
 */
#ifndef PLAN_REGRADE_CHOICE_H
#define PLAN_REGRADE_CHOICE_H

#include "plan/draft.h"
#include "plan/regrade.h"
#include "plan/submissions.h"

struct regrade_look {
    bool wanted;      /* its directory is looked at */
    const char *path; /* of it; NULL: the one in the plan */
};

struct regrade_choice {
    bool part;                 /* some submissions only */
    struct regrade_look *look; /* per submission of the old plan */
    bool *asked;               /* per unit of the old plan: named, so it runs again in any case */
    struct found *added;       /* directories that the run has not seen; points into `found` */
    size_t added_count;
    struct found_list found;
};

int regrade_choice_make(const struct regrade_request *req, struct regrade_choice *c, struct err *e);
void regrade_choice_free(struct regrade_choice *c);

/* Was this unit of the old plan named? */
bool regrade_choice_asks(const struct regrade_choice *c, const struct plan *old, int unit);

/* The sources of submission i of the old run were taken into the draft, as its submission s. When
 * only some of its tiers were named, the others get their old sources back. Headers belong to all
 * tiers: if they differ, that is an error. */
int regrade_choice_limit(const struct regrade_choice *c, unsigned i, const struct run *old,
                         struct draft *d, int s, struct err *e);

#endif
