/*
 * regrade_draft.h - a regraded run while it is made: what the files share that make it. regrade.c
 * has the steps, regrade_submissions.c takes the sources, regrade_units.c says which units run
 * again.
 */
#ifndef PLAN_REGRADE_DRAFT_H
#define PLAN_REGRADE_DRAFT_H

#include "plan/draft.h"
#include "plan/inputs.h"
#include "plan/other_tools.h"
#include "plan/regrade_choice.h"

/* A regraded run while it is made. */
struct regrade {
    const struct regrade_request *req;
    const struct run *old;
    struct results res;
    struct regrade_choice choice;
    struct plan_request plan; /* what the draft wants to know */
    struct draft d;
    char **names;              /* of the tiers in `plan`; the strings are not owned */
    struct assignment *loaded; /* from a file; NULL: that of the old run counts */
    struct case_list cases;
    json_t *was, *is;  /* model/assignment_running.h */
    char **skipped;    /* per tier: why it cannot run here, or NULL */
    char *all_because; /* all units run again; NULL: not all of them */
    struct other_tools tools;
    struct strbuf gone; /* submissions whose directories are not there any more */
    unsigned gone_count;
    bool *handed_in; /* per submission of the draft: a file of it has changed */
    struct regrade_plan *out;
};

/* 1: it is to stop; -1: the run is another process's by now. */
int regrade_go_on(const struct regrade *g, struct err *e);
/* Of a submission of the old plan and a tier of the draft, or -1. */
int regrade_old_unit(const struct regrade *g, int submission, int tier);
/* What the results of both runs depend on. */
struct inputs regrade_inputs_before(const struct regrade *g);
struct inputs regrade_inputs_now(const struct regrade *g);

/* Submissions and their sources; then each unit: does it run again, and why? */
int regrade_submissions(struct regrade *g, struct err *e);
int regrade_units(struct regrade *g, struct err *e);

#endif
