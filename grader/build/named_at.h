/* named_at.h - where the sources of a submission name a function. */
#ifndef BUILD_NAMED_AT_H
#define BUILD_NAMED_AT_H

/* The characters of names in C. */
#define NAMED_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* The file below `dir`, relative to it, and the line of the first call of `name`, or else of the
 * first such word. NULL: no file names it, or only an adapter. The caller frees it. */
char *named_at(const char *dir, const char *name, unsigned *line);

#endif
