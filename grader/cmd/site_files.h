/*
 * site_files.h - the configuration files: /etc/paragrade.yaml, then the user's own. Tests and
 * packages name another file in place of the first one in PARAGRADE_SITE; empty: none.
 */
#ifndef CMD_SITE_FILES_H
#define CMD_SITE_FILES_H

#include "base/err.h"
#include "model/site.h"

enum { SITE_FILES = 2 };

/* Path of a file, which need not exist, in the order in which they are read; the caller frees it.
 * NULL: there is none, because no home directory is known. */
char *site_file(int i);

/* Read them, one laid over the other, into an empty record. After an error it can be freed. */
int site_files_read(struct site *s, struct err *e);

/* The path that the files have for a setting. The files are read once; if one is wrong, that is
 * said once, and no path is set. NULL: none. */
const char *site_path(enum site_setting x);
/* Where runs are unless an option says it: "reports", or what the files say. */
const char *site_reports(void);
/* The history to which runs are added: PARAGRADE_HISTORY (empty: none), or what the files say.
 * NULL: none. */
const char *site_history(void);

#endif
