/* display_path.h - a path as people see it and type it. */
#ifndef BASE_DISPLAY_PATH_H
#define BASE_DISPLAY_PATH_H

/* Relative to the working directory when it lies below, and quoted for the shell when it must be.
 * The caller frees it. */
char *display_path(const char *path);
/* As it is, and quoted where it must be. The caller frees it. */
char *display_quoted(const char *path);

#endif
