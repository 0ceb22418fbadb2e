/*
 * parts.h - what a run directory consists of: the table in parts.def. Paths, receipts and the
 * removal of stale files follow it.
 */
#ifndef RUNDIR_PARTS_H
#define RUNDIR_PARTS_H

#include <stdbool.h>

enum part {
#define PART(identifier, pattern, kind, format, receipts, owner) PART_##identifier,
#include "rundir/parts.def"
#undef PART
    PART_COUNT
};

/* Format versions: FORMAT_PLAN ... */
enum {
#define PART(identifier, pattern, kind, format, receipts, owner) FORMAT_##identifier = (format),
#include "rundir/parts.def"
#undef PART
};

enum part_kind { KIND_FILE, KIND_DIRECTORY, KIND_TEMPORARY };

enum part_kind part_kind(enum part p);
bool part_in_receipts(enum part p);

/* Path of a part: "RUN/" and its pattern, with a string for each of its stars. The caller frees it.
 */
char *part_path(const char *run, enum part p, ...);

/* The last name of the part's pattern: "result.json", "infra-*.json". It is not to be freed. */
const char *part_name(enum part p);

/* Is it one file, directly in the run directory? Then part_name() is its path. */
bool part_is_record(enum part p);

/* Does the last name of the part's pattern fit a file name? */
bool part_has_name(enum part p, const char *name);

/* Call fn for every file below the run directory, sorted within a directory, with its path from
 * there. Only the directories of the table are entered; other ones count as files. PART_COUNT: the
 * table does not list it. */
typedef void part_visitor(void *arg, const char *relative, enum part p);
void parts_visit(const char *run, part_visitor *fn, void *arg);

#endif
