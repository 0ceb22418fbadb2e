#include "cmd/locate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/install.h"
#include "base/strbuf.h"

static bool is_yaml(const char *name)
{
    const char *dot = strrchr(name, '.');
    return name[0] != '.' && dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* The only YAML file in a directory. 1: there is none; -1 with e: there are several. */
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
    char *dir = install_share("testcases");
    rc = dir ? only_yaml(dir, path, e) : 1;
    if (rc == 0)
        fprintf(stderr, "no --assignment was given: using %s\n", *path);
    free(dir);
    return rc == 1 ? err_input(e, "no assignment: say which with --assignment FILE, or set "
                                  "PARAGRADE_ASSIGNMENT")
                   : rc;
}

char *locate_selftests(void)
{
    return xasprintf("%s/paragrade-%ld", fs_tmpdir(), (long)getuid());
}

int locate_run(const char *name, struct run *r, struct err *e)
{
    char *tests = locate_selftests();
    char *places[] = {xasprintf("reports/%s", name), xasprintf("%s/%s", tests, name)};
    const char *found = name;
    for (size_t i = 0; i < 2 && found == name; i++)
        if (!fs_exists(name) && !strchr(name, '/') && fs_is_dir(places[i]))
            found = places[i];
    int rc = run_open(found, r, e);
    for (size_t i = 0; i < 2; i++)
        free(places[i]);
    free(tests);
    return rc;
}
