/*
 * macros.h - a source with its own macros expanded, to be compared with others. A copy can be
 * renamed, and its text hidden, by #define.
 *
 * This is no preprocessor: what #if leaves out stays, #include lines stay, and a macro that is
 * defined twice means what was read last. Macros of the system stay names: their texts are long,
 * and everybody has them. Long macros of the source stay names, too, and their bodies stand where
 * they are defined: a macro that checks for errors, from a lecture, would else be most of a
 * program.
 *
 * Pure: no files, no clock.
 */
#ifndef MODEL_MACROS_H
#define MODEL_MACROS_H

#include <stddef.h>

struct macros;

struct macros *macros_new(void);
void macros_free(struct macros *m);

/* Note the macros that a text defines. All texts must live as long as `m`. */
void macros_define(struct macros *m, const char *text, size_t len);

/* The text with macros expanded, without comments. Each token stays in its line. After so many
 * tokens that no person writes them, the rest is missing. The caller frees it; *out_len is its
 * length. */
char *macros_expand(struct macros *m, const char *text, size_t len, size_t *out_len);

#endif
