/*
 * node_file.h - the record of a node as one JSON file. Published once and read strictly, as results
 * are (result_file.h).
 */
#ifndef RUNDIR_NODE_FILE_H
#define RUNDIR_NODE_FILE_H

#include "base/err.h"
#include "model/result.h"

/* The path has a directory, which is made. 0: written; 1: there is a file already, which stays; -1:
 * error. */
int node_record_publish(const struct node_record *n, const char *path, struct err *e);
/* *out is the caller's; NULL after an error. */
int node_record_load(const char *path, struct node_record **out, struct err *e);

#endif
