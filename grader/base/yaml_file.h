/*
 * yaml_file.h - a YAML file as a tree of nodes.
 *
 * The files come from people who make mistakes. Size, nesting and anchors are bounded, so that no
 * file takes more than a moment or more than some megabytes.
 */
#ifndef BASE_YAML_FILE_H
#define BASE_YAML_FILE_H

#include <stdbool.h>
#include <yaml.h>

#include "base/err.h"

enum {
    YAML_FILE_MOST = 1 << 20, /* bytes */
    YAML_DEPTH_MOST = 20,
    YAML_ANCHORS_MOST = 200,
};

struct yaml_file {
    const char *path; /* of the caller, who keeps it until yaml_close() */
    yaml_document_t doc;
    bool open;
    bool failed;   /* an error was recorded by yaml_read.h */
    struct err *e; /* for it */
};

/* Read the file. 0; -1 with the reason, which names the line. yaml_close() is allowed after both.
 */
int yaml_open(struct yaml_file *f, const char *path, struct err *e);
void yaml_close(struct yaml_file *f);

#endif
