/*
 * mutant.h - small changes of a C source that make it wrong, as students do: another dimension, a
 * bound that is off by one, a loop that is left out. Each changes a few tokens in one place.
 *
 * Comments, directives other than OpenMP's, and everything outside of functions stay as they are.
 */
#ifndef MODEL_MUTANT_H
#define MODEL_MUTANT_H

#include <stdbool.h>
#include <stddef.h>

#include "kernel/kernel.h"

enum { MUTANT_WITH = 24 };

struct mutant {
    size_t from, to;        /* bytes of the source that are replaced */
    char with[MUTANT_WITH]; /* by this */
    unsigned line;
    const char *what; /* kind of the change: "dimension" */
    size_t statement; /* where its statement begins, or the block that it is in */
    bool part;        /* this is the body of an if or a loop, without braces */
};

struct mutant_list {
    struct mutant *item;
    size_t count;
};

/* All changes of a text, in its order. The names of dimensions are those of the kernel. */
void mutants_of(const struct kernel *k, const char *text, size_t len, struct mutant_list *out);
void mutant_list_free(struct mutant_list *l);

/* The changed text. The caller frees it. */
char *mutant_apply(const struct mutant *m, const char *text, size_t len);
/* The text with a trap before the statement of the change, or at the start of its block: it crashes
 * where the change would have been reached. The caller frees it. */
char *mutant_probe(const struct mutant *m, const char *text, size_t len);
/* "`i < M` -> `i <= M`": the line of the change, before and after, shortened. The caller frees it.
 */
char *mutant_text(const struct mutant *m, const char *text, size_t len);

#endif
