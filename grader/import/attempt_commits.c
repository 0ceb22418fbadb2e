#include "import/attempt_commits.h"

#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"

/* The last commit came after the deadline: was there one in time? What is not known is not in time.
 */
static int read_commit_in_time(struct attempt *a, const char *dir, const struct attempt_request *q,
                               struct remarks *r, struct err *e)
{
    struct commit in_time;
    struct err why = ERR_INIT;
    const int rc = repository_commit(dir, q->deadline, q->scratch, &in_time, &why);
    if (rc == 0) {
        a->commit = in_time;
        a->checked_out = false;
        return 0;
    }
    if (rc < 0 && why.kind == ERR_SYSTEM) {
        *e = why;
        return err_context(e, "%s", a->id);
    }
    if (rc < 0)
        remark(r, "%s: %s: what was handed in before the deadline is not known: %s",
               a->source->shown, a->repository, why.text);
    else if (repository_is_shallow(dir))
        remark(r,
               "%s: %s: the clone has only its last commits, so what was handed in before the "
               "deadline is not known; clone it without --depth",
               a->source->shown, a->repository);
    return 0;
}

/* The commits of one clone: the last one, or the last one in time. */
static int read_commit(struct attempt *a, const struct attempt_request *q, struct remarks *r,
                       struct err *e)
{
    struct err why = ERR_INIT;
    OWNED char *dir = xasprintf("%s/%s", a->source->root, a->repository);
    int rc = repository_commit(dir, NULL, q->scratch, &a->commit, &why);
    if (rc == 0) {
        if (q->deadline && a->commit.when > *q->deadline)
            rc = read_commit_in_time(a, dir, q, r, e);
        a->timed = true;
        a->submitted = a->commit.when;
    } else if (why.kind == ERR_SYSTEM) {
        *e = why;
        err_context(e, "%s", a->id);
    } else {
        remark(r, "%s: %s: the time is not known: %s", a->source->shown, a->repository, why.text);
        rc = 0;
    }
    return rc;
}

/* A file of the clone shows where the clone lies. Without any file, nothing was handed in. */
int attempt_commits_read(struct attempts *out, size_t first, const struct attempt_request *q,
                         struct remarks *r, struct err *e)
{
    int rc = 0;
    for (size_t i = first; i < out->count && rc == 0; i++) {
        struct attempt *a = &out->item[i];
        if (!a->files)
            continue;
        const struct attempt_file *f = &a->file[0];
        a->repository = xasprintf("%.*s", (int)(strlen(f->path) - strlen(f->file) - 1), f->path);
        OWNED char *git = xasprintf("%s/%s/.git", a->source->root, a->repository);
        if (fs_exists(git))
            rc = read_commit(a, q, r, e);
        else
            remark(r, "%s: %s: the time is not known: it has no directory .git", a->source->shown,
                   a->repository);
    }
    return rc;
}
