/* missing_name.h - a header or a constant that a source uses and that is not there. Pure. */
#ifndef BUILD_MISSING_NAME_H
#define BUILD_MISSING_NAME_H

/* What to do about it, by what gcc, clang or nvcc says of it, or NULL if that is something else.
 * own: the header of the exercise. there: the files of the submission, with NULL after the last
 * one. The caller frees it. */
char *missing_name_hint(const char *message, const char *own, char *const *there);

#endif
