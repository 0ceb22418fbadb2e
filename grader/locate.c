#include "locate.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/install.h"
#include "base/strbuf.h"

enum { LEVELS = 3 }; /* build/, build/san/: the source tree is at most so far up */

char *locate_share(const char *part)
{
    char *rel = xasprintf("share/paragrade/%s", part);
    char *path = install_path(rel);
    free(rel);
    if (fs_exists(path))
        return path;
    free(path);
    char *dir = install_path("");
    for (int i = 0; i < LEVELS; i++) {
        size_t n = strlen(dir);
        while (n > 1 && dir[n - 1] == '/')
            dir[--n] = '\0';
        char *slash = strrchr(dir, '/');
        if (!slash || slash == dir)
            break;
        slash[1] = '\0';
        path = xasprintf("%s%s", dir, part);
        if (fs_exists(path)) {
            free(dir);
            return path;
        }
        free(path);
    }
    free(dir);
    return NULL;
}

static bool is_yaml(const char *name)
{
    const char *dot = strrchr(name, '.');
    return name[0] != '.' && dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* 1: none there. */
static int only_yaml(const char *dir, char **path, struct err *e)
{
    char **names;
    size_t count;
    struct strbuf found = STRBUF_INIT;
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
    fs_list_free(names, count);
    int rc = n == 1 ? 0 : 1;
    if (n > 1) {
        free(*path);
        *path = NULL;
        rc = err_input(e, "%s holds several assignments (%s): say which with --assignment FILE",
                       dir, found.s);
    }
    strbuf_free(&found);
    return rc;
}

int locate_assignment(char **path, struct err *e)
{
    const char *named = getenv("PARAGRADE_ASSIGNMENT");
    if (named && *named) {
        *path = xstrdup(named);
        return 0;
    }
    int rc = only_yaml("testcases", path, e);
    if (rc != 1)
        return rc;
    char *dir = locate_share("testcases");
    rc = dir ? only_yaml(dir, path, e) : 1;
    free(dir);
    return rc == 1 ? err_input(e, "no assignment: say which with --assignment FILE, or set "
                                  "PARAGRADE_ASSIGNMENT")
                   : rc;
}

char *locate_shown(const char *path)
{
    char cwd[PATH_MAX];
    size_t n = getcwd(cwd, sizeof cwd) ? strlen(cwd) : 0;
    if (n > 1 && strncmp(path, cwd, n) == 0 && path[n] == '/' && path[n + 1])
        path += n + 1;
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@%";
    struct strbuf sb = STRBUF_INIT;
    const char *dash = path[0] == '-' ? "./" : "";
    if (*path && path[strspn(path, safe)] == '\0') {
        strbuf_addf(&sb, "%s%s", dash, path);
        return strbuf_detach(&sb);
    }
    strbuf_addf(&sb, "'%s", dash);
    for (; *path; path++)
        strbuf_adds(&sb, *path == '\'' ? "'\\''" : (char[]){*path, '\0'});
    strbuf_adds(&sb, "'");
    return strbuf_detach(&sb);
}
