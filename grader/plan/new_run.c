#include "plan/new_run.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/fsio.h"
#include "base/identifier.h"
#include "base/strbuf.h"

char *new_run_id(const struct assignment *a)
{
    time_t now = time(NULL);
    struct tm tm;
    char stamp[32] = "";
    if (localtime_r(&now, &tm))
        strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &tm);
    char *id = xasprintf("%.80s-%s", a->name, stamp);
    for (char *p = id; *p; p++)
        if (!identifier_char(*p) || (p == id && (*p == '.' || *p == '-')))
            *p = '_';
    return id;
}

int new_run_move(const char *from, const char *to, struct err *e)
{
    int rc = renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
    if (rc != 0 && (errno == EINVAL || errno == ENOSYS)) {
        /* NFS lacks this. A plain rename does not replace a run, either: it refuses to replace a
         * directory that is not empty. */
        if (fs_exists(to))
            return 1;
        rc = rename(from, to);
    }
    if (rc == 0)
        return 0;
    if (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR)
        return 1;
    return err_system(e, "%s: cannot rename into place: %s", to, strerror(errno));
}

int new_run_reports_dir(const char *dir, struct err *e)
{
    struct stat st;
    const bool there = stat(dir, &st) == 0;
    if (there && !S_ISDIR(st.st_mode))
        return err_input(e, "--reports: %s is a file; give a directory for the runs", dir);
    if (!there && errno == ENOTDIR)
        return err_input(e, "--reports: %s lies below a file; give a directory for the runs", dir);
    return fs_mkdirs(dir, e);
}

int new_run_mkdir(const char *reports_dir, const char *tmp, struct err *e)
{
    if (mkdir(tmp, 0700) == 0)
        return 0;
    if (errno == EACCES || errno == EPERM || errno == EROFS)
        return err_input(e, "%s: cannot be written to: %s; runs go elsewhere with --reports DIR",
                         reports_dir, strerror(errno));
    return err_system(e, "%s: cannot make a directory in it: %s", reports_dir, strerror(errno));
}
