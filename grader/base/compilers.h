/* compilers.h - which compilers a compile command calls. */
#ifndef BASE_COMPILERS_H
#define BASE_COMPILERS_H

/* The first line of `--version` of each program that the commands call, "; " between them; "" for
 * one that does not answer. argv: several commands with `step` between them. env: NULL for that of
 * this process. prefix: words that go before each program, or NULL. The caller frees it. */
char *compiler_versions(char **argv, char **env, char *const *prefix, const char *step);

#endif
