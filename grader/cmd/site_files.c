#include "cmd/site_files.h"

#include <stdlib.h>

#include "base/strbuf.h"
#include "base/term.h"

static char *system_file(void)
{
    const char *other = getenv("PARAGRADE_SITE");
    if (other)
        return *other ? xstrdup(other) : NULL;
    return xstrdup("/etc/paragrade.yaml");
}

static char *user_file(void)
{
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && *config == '/') /* the standard says to ignore relative paths */
        return xasprintf("%s/paragrade.yaml", config);
    return home && *home ? xasprintf("%s/.config/paragrade.yaml", home) : NULL;
}

char *site_file(int i)
{
    return i == 0 ? system_file() : user_file();
}

int site_files_read(struct site *s, struct err *e)
{
    int rc = 0;
    for (int i = 0; i < SITE_FILES && rc == 0; i++) {
        OWNED char *path = site_file(i);
        rc = path && site_read(s, path, e) < 0 ? -1 : 0;
    }
    return rc;
}

const char *site_path(enum site_setting x)
{
    static struct site kept; /* until the program ends */
    static bool read;
    struct err e = ERR_INIT;
    if (!read && site_files_read(&kept, &e) != 0) {
        site_free(&kept);
        term_print(stderr, 2, "paragrade: %s\n", e.text);
    }
    read = true;
    return kept.value[x];
}

const char *site_reports(void)
{
    const char *path = site_path(SITE_REPORTS);
    return path ? path : "reports";
}

const char *site_history(void)
{
    const char *path = getenv("PARAGRADE_HISTORY");
    return !path ? site_path(SITE_HISTORY) : *path ? path : NULL;
}
