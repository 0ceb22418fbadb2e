#include "locate_run.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"

char *locate_selftests(void)
{
    const char *tmp = getenv("TMPDIR");
    return xasprintf("%s/paragrade-%ld", tmp && *tmp ? tmp : "/tmp", (long)getuid());
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
