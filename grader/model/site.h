/*
 * site.h - the settings of a site: where its jobs go, and what surrounds a proctor on its node.
 * They come from configuration files and the command line. A later layer replaces single settings
 * of an earlier one.
 */
#ifndef MODEL_SITE_H
#define MODEL_SITE_H

#include <stdbool.h>

#include "base/err.h"

enum site_setting {
#define SLURM_WORD(name, word, letter) SITE_##name,
#include "model/slurm_words.def"
    SITE_SLURM_WORDS,
    SITE_MEMORY = SITE_SLURM_WORDS, /* how Slurm is asked for memory: site_memory_words */
    SITE_MODULES,                   /* environment modules to load before a proctor starts */
    SITE_SCRATCH,                   /* where proctors make temporary files */
    SITE_NICE,                      /* 0 to 19, as of nice(1) */
    SITE_ASSIGNMENT, /* these three: where the command line and the environment say nothing */
    SITE_REPORTS,
    SITE_HISTORY,
    SITE_SETTINGS,
};

enum { SITE_NICE_MOST = 19 };

/* "per-node", "per-core", "not-asked": in the order of enum memory_request (assignment.h). NULL at
 * the end. */
extern const char *const site_memory_words[];

/* All zero: nothing is set. */
struct site {
    /* One for each setting, in the order of enum site_setting. The texts of a list are separated by
     * blanks, which they cannot contain. NULL: not set. "" for modules: none. */
    char *value[SITE_SETTINGS];
    /* Where the value comes from, for people: "/etc/paragrade.yaml:3", "--nice". */
    char *from[SITE_SETTINGS];
};

void site_free(struct site *s);

/* As files call it. */
const char *site_setting_name(enum site_setting x);
/* Where the first of Slurm's words comes from; NULL: none is set. */
const char *site_slurm_word_from(const struct site *s);

/* Set one value; for modules, add one. -1 with e when the setting cannot have it. */
int site_set(struct site *s, enum site_setting x, const char *value, const char *from,
             struct err *e);
/* Set a value as value[] of another record has it. -1 with e as above. */
int site_restore(struct site *s, enum site_setting x, const char *value, const char *from,
                 struct err *e);
/* Replace the settings in `to` that are set in `over`. */
void site_lay_over(struct site *to, const struct site *over);
/* Lay a configuration file over the settings. 0; 1: there is no such file; -1 with e: it cannot be
 * read, or something in it is wrong. */
int site_read(struct site *s, const char *path, struct err *e);

#endif
