/* utf16.h - sources that an editor has saved as UTF-16, which compilers do not read. */
#ifndef BUILD_UTF16_H
#define BUILD_UTF16_H

/* Of the message about such a source, after its name. */
#define UTF16_WORDS " is saved as UTF-16"

/* The first file below `dir`, relative to it, that is UTF-16 and that the compiler's log names; or
 * NULL. The caller frees it. */
char *utf16_source(const char *dir, const char *log);

#endif
