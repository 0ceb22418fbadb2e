/*
 * err.h - the error record that every fallible function fills.
 *
 * Convention: library functions return 0 on success and -1 on failure, having filled *e; only
 * commands print and exit. ERR_INPUT means that what the user gave is wrong (exit status 2),
 * ERR_SYSTEM that the machine, the file system or the cluster failed (exit status 1).
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

enum err_kind { ERR_NONE, ERR_INPUT, ERR_SYSTEM };

struct err {
    enum err_kind kind;
    int file_error; /* errno, when a file or directory could not be opened or read; else 0 */
    char text[2048];
};

#define ERR_INIT                                                                                   \
    {                                                                                              \
        ERR_NONE, 0, ""                                                                            \
    }

/* Fill *e (a NULL e is allowed) and return -1, so that callers write `return err_input(e, ...)`. */
int err_input(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int err_system(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same of a file or directory that could not be opened or read, for the reason `error`. */
int err_file(struct err *e, enum err_kind kind, const char *path, int error);
/* Put "context: " in front of the text already in *e; keeps the kind. Returns -1. */
int err_context(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
