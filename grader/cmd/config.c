#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "cmd/options.h"
#include "cmd/site_files.h"

/* What holds for a setting that no file has. */
static const char *const otherwise[SITE_SETTINGS] = {
#define SLURM_WORD(name, word, letter) [SITE_##name] = "Slurm's default",
#include "model/slurm_words.def"
    [SITE_MEMORY] = "per-node",
    [SITE_MODULES] = "none are loaded",
    [SITE_SCRATCH] = "TMPDIR, or /tmp",
    [SITE_NICE] = "0",
    [SITE_ASSIGNMENT] = "the only one in testcases/",
    [SITE_REPORTS] = "reports/, here",
    [SITE_HISTORY] = "history.sqlite in the reports, for nightly",
};

/* What must be possible with the path of a setting; 0: nothing is tested. */
static const int access_needed[SITE_SETTINGS] = {
    [SITE_ASSIGNMENT] = R_OK,
    [SITE_REPORTS] = W_OK | X_OK,
    [SITE_HISTORY] = R_OK | W_OK,
};

/* A history need not be there yet: its directory must be. */
static char *path_to_test(enum site_setting x, const char *path)
{
    const char *slash = strrchr(path, '/');
    if (x != SITE_HISTORY || fs_exists(path))
        return xstrdup(path);
    return slash == path ? xstrdup("/") : xasprintf("%.*s", (int)(slash - path), path);
}

/* Why a path cannot be used; NULL: it can. The caller frees the text. */
static char *path_lack(enum site_setting x, const char *value)
{
    char *path = path_to_test(x, value), *lack = NULL;
    const bool directory = x == SITE_REPORTS || strcmp(path, value) != 0;
    if (fs_exists(path) && directory != fs_is_dir(path))
        lack = xasprintf("%s: is %s directory", path, directory ? "no" : "a");
    else if (access(path, directory ? W_OK | X_OK : access_needed[x]) != 0)
        lack = xasprintf("%s: %s", path, strerror(errno));
    free(path);
    return lack;
}

/* Try every path that a file names, and say what is wrong. The number of those that are. */
static int test_paths(const struct site *s)
{
    int wrong = 0;
    for (int x = 0; x < SITE_SETTINGS; x++) {
        if (!access_needed[x] || !s->value[x])
            continue;
        OWNED char *lack = path_lack((enum site_setting)x, s->value[x]);
        if (lack)
            term_print(stderr, 2, "paragrade config: %s: %s: %s\n", s->from[x],
                       site_setting_name((enum site_setting)x), lack);
        wrong += lack != NULL;
    }
    return wrong;
}

static void print_table(const struct site *s)
{
    struct term_table *t = term_table_new(NULL);
    term_table_column(t, "setting", TERM_LEFT);
    term_table_column(t, "value", TERM_LEFT);
    term_table_column(t, "from", TERM_LEFT);
    for (int x = 0; x < SITE_SETTINGS; x++) {
        const char *value = s->value[x];
        term_table_cell(t, TERM_BOLD, "%s", site_setting_name((enum site_setting)x));
        if (value)
            term_table_cell(t, TERM_PLAIN, "%s", *value ? value : "(none)");
        else
            term_table_cell(t, TERM_DIM, "%s", otherwise[x]);
        term_table_cell(t, value ? TERM_PLAIN : TERM_DIM, "%s", value ? s->from[x] : "default");
        term_table_end_row(t);
    }
    term_table_print(t, stdout);
    putchar('\n');
    for (int i = 0; i < SITE_FILES; i++) {
        OWNED char *path = site_file(i);
        if (path)
            term_print(stdout, 2, "%s: %s\n", path,
                       fs_exists(path) ? "was read" : "does not exist");
    }
}

static int print_json(const struct site *s, struct err *e)
{
    json_t *settings = json_object(), *files = json_array();
    for (int x = 0; x < SITE_SETTINGS; x++) {
        json_t *o = json_pack("{s:s?, s:s?}", "value", s->value[x], "from", s->from[x]);
        json_object_set_new(settings, site_setting_name((enum site_setting)x), o);
    }
    for (int i = 0; i < SITE_FILES; i++) {
        OWNED char *path = site_file(i);
        if (path)
            json_array_append_new(files, json_pack("{s:o, s:b}", "path", json_printable(path),
                                                   "read", fs_exists(path)));
    }
    return json_print(stdout, json_pack("{s:o, s:o}", "settings", settings, "files", files), e);
}

static int run(const struct options *o)
{
    FREED_BY(site_free) struct site s = {0};
    struct err e = ERR_INIT;
    int rc = site_files_read(&s, &e);
    if (rc == 0 && o->json)
        rc = print_json(&s, &e);
    else if (rc == 0)
        print_table(&s);
    int status = rc == 0 ? EXIT_OK : command_error(&cmd_config, &e);
    fflush(stdout); /* the table comes first */
    if (rc == 0 && test_paths(&s))
        status = EXIT_USAGE;
    return status;
}

const struct command cmd_config = {
    .name = "config",
    .usage = "config [options]",
    .summary = "the settings of this site, and where each comes from",
    .more = "Two files are read, /etc/paragrade.yaml and ~/.config/paragrade.yaml (or\n"
            "$XDG_CONFIG_HOME/paragrade.yaml). The second one replaces settings of the first\n"
            "one. Options of grade, sweep, resume and regrade replace both. A file may say:\n"
            "\n"
            "  partition: cpu              for Slurm, these three, where the assignment says\n"
            "  account: teaching             nothing\n"
            "  qos: short\n"
            "  modules: [gcc/13, openmpi]  environment modules to load on the node first\n"
            "  scratch: /local/scratch     where builds and temporary files go on the node\n"
            "  nice: 10                    nice level of all processes that grade, 0 to 19\n"
            "  assignment: /srv/c/a.yaml   the default of -a\n"
            "  reports: /srv/c/reports     the default of --reports; where runs are found\n"
            "  history: /srv/c/h.sqlite    every finished run is added to it\n"
            "\n"
            "The last three must exist and be writable (the assignment: readable).\n"
            "\n"
            "exit status: 0, or 2 when a file or one of its paths is wrong\n",
    .bit = on_config,
    .operands = "it takes no arguments",
    .run = run,
};
