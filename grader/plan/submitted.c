#include "plan/submitted.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/instant.h"
#include "base/others_file.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "model/unit_sources.h"

static int load(struct submitted *l, const char *path, struct err *e)
{
    submitted_free(l);
    l->path = xstrdup(path);
    struct stat st;
    const int there = fs_lstat(path, &st, e);
    if (there != 1)
        return there;
    if (others_file_refuse(path, &st, e) != 0 || csv_read(path, &l->table, e) != 0)
        return -1;
    l->name = l->table.count ? csv_column(&l->table, "submission") : -1;
    l->time = l->table.count ? csv_column(&l->table, "submitted") : -1;
    return l->name >= 0 && l->time >= 0
               ? 0
               : err_input(e, "%s: the first line must name the columns submission and submitted",
                           path);
}

static int find_row(const struct submitted *l, const char *name, int64_t *t, struct err *e)
{
    for (size_t i = 1; i < l->table.count; i++) {
        const struct csv_row *row = &l->table.row[i];
        if (strcmp(row->field[l->name], name) != 0)
            continue;
        const char *text = row->field[l->time];
        if (!text[strspn(text, " ")])
            return 0;
        struct err why = ERR_INIT;
        return instant_parse(text, t, &why) == 0
                   ? 0
                   : err_input(e, "%s:%zu: submitted: %s", l->path, row->line, why.text);
    }
    return 0;
}

/* Of the files that were taken, as they lie in the submission. A time in a year that nobody can
 * write is none. */
static int64_t newest_file(const char *dir, const char *copy)
{
    OWNED_TEXTS char **names = NULL;
    size_t n;
    int64_t newest = PLAN_NO_TIME;
    if (tree_list(copy, SUBMISSION_FILES_MOST, &names, &n, NULL) != 0)
        return newest;
    for (size_t i = 0; i < n; i++) {
        OWNED char *path = xasprintf("%s/%s", dir, names[i]);
        struct stat st;
        if (lstat(path, &st) == 0 && (int64_t)st.st_mtim.tv_sec > newest &&
            instant_is_writable((int64_t)st.st_mtim.tv_sec))
            newest = (int64_t)st.st_mtim.tv_sec;
    }
    return newest;
}

int submitted_find(struct submitted *l, struct submission *s, const char *copy, struct err *e)
{
    const char *slash = strrchr(s->path, '/');
    OWNED char *path = xasprintf("%.*s/submitted.csv", (int)(slash - s->path), s->path);
    int rc = l->path && strcmp(l->path, path) == 0 ? 0 : load(l, path, e);
    if (rc == 0)
        rc = find_row(l, slash + 1, &s->submitted, e);
    s->modified = newest_file(s->path, copy);
    return rc;
}

void submitted_free(struct submitted *l)
{
    csv_table_free(&l->table);
    free(l->path);
    *l = (struct submitted){0};
}
