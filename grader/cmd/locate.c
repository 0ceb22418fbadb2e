#include "cmd/locate.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/display_path.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/similar.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/site_files.h"
#include "rundir/revision.h"

enum { PARENTS_MOST = 4 };

static bool is_yaml(const char *name)
{
    const char *dot = strrchr(name, '.');
    return name[0] != '.' && dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* The only YAML file in a directory. 1: there is none; -1 with e: there are several. */
static int only_yaml(const char *dir, char **path, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    size_t count;
    FREED_BY(strbuf_free) struct strbuf found = STRBUF_INIT;
    int n = 0;
    *path = NULL;
    if (fs_list(dir, &names, &count, NULL) != 0)
        return 1;
    for (size_t i = 0; i < count; i++) {
        if (!is_yaml(names[i]))
            continue;
        strbuf_addf(&found, "%s%s", n++ ? ", " : "", names[i]);
        if (n == 1)
            *path = xasprintf("%s/%s", dir, names[i]);
    }
    int rc = n == 1 ? 0 : 1;
    if (n > 1) {
        free(*path);
        *path = NULL;
        rc = err_input(e, "%s holds several assignments (%s): say which with --assignment FILE",
                       dir, found.s);
    }
    return rc;
}

int locate_assignment(char **path, struct err *e)
{
    const char *named = getenv("PARAGRADE_ASSIGNMENT");
    if (!named || !*named)
        named = site_path(SITE_ASSIGNMENT);
    if (named) {
        *path = xstrdup(named);
        return 0;
    }
    int rc = only_yaml("testcases", path, e);
    OWNED char *above = xstrdup("testcases");
    for (int up = 0; rc == 1 && up < PARENTS_MOST; up++) {
        char *next = xasprintf("../%s", above);
        free(above);
        above = next;
        rc = only_yaml(above, path, e);
    }
    OWNED char *dir = rc == 1 ? install_share("testcases") : NULL;
    if (dir)
        rc = only_yaml(dir, path, e);
    if (rc == 0)
        term_print(stderr, 2, "no --assignment was given: using %s\n", *path);
    return rc == 1 ? err_input(e, "no assignment: say which with --assignment FILE, or set "
                                  "PARAGRADE_ASSIGNMENT")
                   : rc;
}

char *locate_selftests(void)
{
    return xasprintf("%s/paragrade-%ld", fs_tmpdir(), (long)getuid());
}

char *locate_selftest(const char *name)
{
    OWNED char *tests = locate_selftests();
    char *path =
        fs_is_private_dir(tests) && !strchr(name, '/') ? xasprintf("%s/%s", tests, name) : NULL;
    return path;
}

/* The path that a name of a run stands for here: a path, else a run under reports/, else a
 * self-test. The caller frees it. */
static char *path_of_run(const char *name)
{
    const bool is_path = strchr(name, '/');
    char *places[] = {is_path ? NULL : xasprintf("%s/%s", site_reports(), name),
                      locate_selftest(name)};
    char *found = NULL;
    revision_recover(name);
    for (size_t i = 0; i < 2; i++) {
        if (places[i])
            revision_recover(places[i]);
        if (!found && places[i] && !fs_exists(name) && fs_is_dir(places[i]))
            found = places[i];
        else
            free(places[i]);
    }
    return found ? found : xstrdup(name);
}

/* The run under reports/ that may be meant by a name that none has; the caller frees it. NULL:
 * there is none. */
static char *similar_run(const char *name)
{
    char **names, *best = NULL;
    size_t count;
    unsigned least = UINT_MAX;
    if (strchr(name, '/') || fs_exists(name) || fs_list(site_reports(), &names, &count, NULL) != 0)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        OWNED char *path = xasprintf("%s/%s", site_reports(), names[i]);
        if (fs_is_dir(path) && similar_more(name, names[i], &least)) {
            free(best);
            best = xstrdup(names[i]);
        }
    }
    fs_list_free(names, count);
    return best;
}

/* There is no run of that name. Whoever has self-tests may mean one that is gone. */
static void tell_missing(const char *name, struct err *e)
{
    OWNED char *tests = locate_selftests(), *hint = xstrdup("");
    if (fs_is_dir(tests)) {
        free(hint);
        hint =
            xasprintf(". Of self-tests, only the last %d are kept: check again, or keep them with "
                      "paragrade check --reports DIR",
                      LOCATE_SELFTESTS_KEPT);
    }
    err_input(e,
              "%s: no such run directory, here or in %s/. From another directory, give the "
              "path of the run%s",
              name, site_reports(), hint);
}

int locate_run(const char *name, struct run *r, struct err *e)
{
    OWNED char *path = path_of_run(name);
    const int rc = run_open(path, r, e);
    OWNED char *similar = rc != 0 && strcmp(path, name) == 0 ? similar_run(name) : NULL;
    if (similar)
        err_input(e, "%s: no such run directory; did you mean '%s'?", name, similar);
    else if (rc != 0 && !fs_exists(path) && !strchr(name, '/'))
        tell_missing(name, e);
    return rc;
}

char *locate_run_name(const char *dir)
{
    const char *slash = strrchr(dir, '/'), *name = slash ? slash + 1 : dir;
    OWNED char *path = path_of_run(name);
    struct stat is, wanted;
    const bool here = stat(path, &is) == 0 && stat(dir, &wanted) == 0 &&
                      is.st_dev == wanted.st_dev && is.st_ino == wanted.st_ino;
    return display_path(here ? name : dir);
}
