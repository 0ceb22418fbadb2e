/*
 * moodle_zip.h - the feedback pages of a class as an archive that Moodle takes under "Upload
 * multiple feedback files in a zip": one directory for each participant.
 */
#ifndef PAGES_MOODLE_ZIP_H
#define PAGES_MOODLE_ZIP_H

#include "base/err.h"
#include "base/strbuf.h"
#include "rundir/run.h"

struct moodle_zip {
    unsigned students;       /* with a page in the archive */
    struct strbuf left_out;  /* ids, one a line: the roster has no participant's number */
    unsigned left_out_count; /* of these */
};

/* dir: where pages_write() has written. The column moodle_id of the roster has the participants'
 * numbers. The caller frees out->left_out, also after an error. */
int moodle_zip_write(const struct run *r, const char *dir, const char *path, struct moodle_zip *out,
                     struct err *e);

#endif
