/* missing_header.h - a header that a source includes and that is not there. Pure. */
#ifndef BUILD_MISSING_HEADER_H
#define BUILD_MISSING_HEADER_H

/* What to do about it, by what gcc, clang or nvcc says of it, or NULL if that is something else.
 * own: the header of the exercise. The caller frees it. */
char *missing_header_hint(const char *message, const char *own);

#endif
