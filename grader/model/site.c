#include "model/site.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "base/yaml_read.h"

static const char *const names[] = {
#define SLURM_WORD(name, word, letter) [SITE_##name] = #word,
#include "model/slurm_words.def"
    [SITE_MEMORY] = "memory",   [SITE_MODULES] = "modules",       [SITE_SCRATCH] = "scratch",
    [SITE_NICE] = "nice",       [SITE_ASSIGNMENT] = "assignment", [SITE_REPORTS] = "reports",
    [SITE_HISTORY] = "history", [SITE_SETTINGS] = NULL,
};

const char *const site_memory_words[] = {"per-node", "per-core", "not-asked", NULL};

const char *site_setting_name(enum site_setting x)
{
    return names[x];
}

const char *site_slurm_word_from(const struct site *s)
{
    for (int x = 0; x < SITE_SLURM_WORDS; x++)
        if (s->value[x])
            return s->from[x];
    return NULL;
}

static void clear(struct site *s, enum site_setting x)
{
    free(s->value[x]);
    free(s->from[x]);
    s->value[x] = s->from[x] = NULL;
}

void site_free(struct site *s)
{
    for (int x = 0; x < SITE_SETTINGS; x++)
        clear(s, (enum site_setting)x);
}

/* A name goes to another program as one argument. It must not look like an option there. */
static int check_word(const char *value, struct err *e)
{
    if (!*value)
        return err_input(e, "is empty");
    if (*value == '-')
        return err_input(e, "'%s' begins with a dash", value);
    for (const char *p = value; *p; p++)
        if (isspace((unsigned char)*p) || iscntrl((unsigned char)*p))
            return err_input(e, "'%s' contains a blank or a control character", value);
    return 0;
}

static int check_path(const char *value, struct err *e)
{
    if (*value != '/')
        return err_input(e, "'%s' is no absolute path (it must begin with /)", value);
    for (const char *p = value; *p; p++)
        if (iscntrl((unsigned char)*p))
            return err_input(e, "contains a control character");
    return 0;
}

static int check_memory_word(const char *value, struct err *e)
{
    for (size_t i = 0; site_memory_words[i]; i++)
        if (strcmp(site_memory_words[i], value) == 0)
            return 0;
    return err_input(e, "'%.40s' is not one of: per-node, per-core, not-asked", value);
}

static int check(enum site_setting x, const char *value, struct err *e)
{
    long long n;
    switch (x) {
    case SITE_NICE:
        return parse_int(value, 0, SITE_NICE_MOST, &n, e);
    case SITE_MEMORY:
        return check_memory_word(value, e);
    case SITE_SCRATCH:
    case SITE_ASSIGNMENT:
    case SITE_REPORTS:
    case SITE_HISTORY:
        return check_path(value, e);
    default:
        return check_word(value, e);
    }
}

int site_set(struct site *s, enum site_setting x, const char *value, const char *from,
             struct err *e)
{
    if (check(x, value, e) != 0)
        return -1;
    char *all = x == SITE_MODULES && s->value[x] && *s->value[x]
                    ? xasprintf("%s %s", s->value[x], value)
                    : xstrdup(value);
    clear(s, x);
    s->value[x] = all;
    s->from[x] = xstrdup(from);
    return 0;
}

/* An empty list of modules is a value, too. */
static void set_no_modules(struct site *s, const char *from)
{
    clear(s, SITE_MODULES);
    s->value[SITE_MODULES] = xstrdup("");
    s->from[SITE_MODULES] = xstrdup(from);
}

int site_restore(struct site *s, enum site_setting x, const char *value, const char *from,
                 struct err *e)
{
    if (x != SITE_MODULES)
        return site_set(s, x, value, from, e);
    set_no_modules(s, from);
    int rc = 0;
    OWNED_TEXTS char **words = proc_argv_split(value);
    for (size_t i = 0; words[i] && rc == 0; i++)
        rc = site_set(s, x, words[i], from, e);
    return rc;
}

void site_lay_over(struct site *to, const struct site *over)
{
    for (int x = 0; x < SITE_SETTINGS; x++) {
        if (!over->value[x])
            continue;
        clear(to, (enum site_setting)x);
        to->value[x] = xstrdup(over->value[x]);
        to->from[x] = xstrdup(over->from[x] ? over->from[x] : "");
    }
}

static void read_value(struct site *layer, enum site_setting x, const struct yaml_at *at)
{
    struct err why = ERR_INIT;
    const char *text = yaml_text(at);
    OWNED char *from = xasprintf("%s:%d", at->file->path, at->line);
    if (text && site_set(layer, x, text, from, &why) != 0)
        yaml_error(at, "%s", why.text);
}

/* One name or a list of names. An empty list: no modules, whatever an earlier layer says. */
static void read_modules(struct site *layer, const struct yaml_at *at)
{
    const bool list = at->node->type == YAML_SEQUENCE_NODE;
    const unsigned n = list ? yaml_count(at) : 1;
    char *from = xasprintf("%s:%d", at->file->path, at->line);
    set_no_modules(layer, from);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        const struct yaml_at item = list ? yaml_item(at, i) : *at;
        read_value(layer, SITE_MODULES, &item);
    }
    free(layer->from[SITE_MODULES]);
    layer->from[SITE_MODULES] = from;
}

/* Does a file contain only comments and blank lines? Then it sets nothing. */
static bool says_nothing(const char *path)
{
    OWNED char *text = NULL;
    bool nothing = fs_read(path, YAML_FILE_MOST, &text, NULL, NULL) == 0;
    for (const char *line = text; nothing && *line; line += *line == '\n') {
        line += strspn(line, " \t\r");
        nothing = *line == '#' || *line == '\n' || !*line;
        line += strcspn(line, "\n");
    }
    return nothing;
}

int site_read(struct site *s, const char *path, struct err *e)
{
    struct yaml_file f;
    FREED_BY(site_free) struct site layer = {0};
    if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
        return 1;
    if (says_nothing(path))
        return 0;
    int rc = yaml_open(&f, path, e);
    if (rc == 0) {
        const struct yaml_at root = yaml_root(&f);
        yaml_expect_keys(&root, names);
        for (int x = 0; x < SITE_SETTINGS; x++) {
            const struct yaml_at at = yaml_get(&root, names[x]);
            if (yaml_present(&at) && x == SITE_MODULES)
                read_modules(&layer, &at);
            else if (yaml_present(&at))
                read_value(&layer, (enum site_setting)x, &at);
        }
        rc = f.failed ? -1 : 0;
    }
    yaml_close(&f);
    if (rc == 0)
        site_lay_over(s, &layer);
    return rc;
}
