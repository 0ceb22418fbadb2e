/*
 * line_reader.h - a text file, line by line. Only the current line is in memory.
 */
#ifndef BASE_LINE_READER_H
#define BASE_LINE_READER_H

#include <stdio.h>

#include "base/err.h"

struct line_reader {
    const char *path; /* of the caller, who keeps it */
    struct err *e;    /* for errors; may be NULL */
    char *text;       /* the current line without its end (LF or CR LF); it may be changed */
    long long number; /* of the current line, from 1; 0 before the first one */
    long long bytes;  /* of the file when it was opened */
    long long read;   /* bytes of the lines so far */
    FILE *file;
    size_t capacity; /* of text */
};

/* Open a regular file. -1 if that fails, or if the file is not text as its first bytes say: it is
 * compressed, or not in UTF-8. Call line_reader_close() after 0 and after -1. */
int line_reader_open(struct line_reader *l, const char *path, struct err *e);
void line_reader_close(struct line_reader *l);

/* Read the next line: 1; 0 at the end of the file, -1 with the reason. The last line may lack its
 * end. A zero byte is an error. */
int line_reader_next(struct line_reader *l);

/* Record that the current line is wrong, as ERR_INPUT: "PATH:LINE: ...". The text may quote the
 * file: control characters are replaced. Returns -1. */
int line_reader_wrong(struct line_reader *l, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

#endif
