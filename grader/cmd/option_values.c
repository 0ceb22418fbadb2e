/* How the values of options are read. */
#include <string.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "cmd/options.h"
#include "import/class_import.h"
#include "plan/seed_file.h"

/* The field that a row names, of whatever type. */
static void *field(struct options *o, const struct option_row *row)
{
    return (char *)o + row->field;
}

/* rc of a parser, with the option before its message. */
static int named(int rc, const struct option_row *row, struct err *e)
{
    return rc == 0 ? 0 : err_context(e, "--%s", row->name);
}

int take_flag(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    (void)value, (void)e;
    *(bool *)field(o, row) = true;
    return 0;
}

int take_text(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    (void)e;
    *(const char **)field(o, row) = value;
    return 0;
}

int take_reports(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    return take_text(o, row, value, e);
}

int take_file_name(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    if (!fs_exists(value))
        return err_input(e, "--%s: %s: no such file", row->name, value);
    return take_text(o, row, value, e);
}

int take_words(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    struct words *w = field(o, row);
    (void)e;
    w->item = xrealloc_array(w->item, w->count + 1, sizeof *w->item);
    w->item[w->count++] = value;
    return 0;
}

/* Names have no commas. */
int take_list(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    for (char *comma; (comma = strchr(value, ',')); value = comma + 1) {
        *comma = '\0';
        if (*value)
            take_words(o, row, value, e);
    }
    return *value ? take_words(o, row, value, e) : 0;
}

int take_int(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    long long *n = field(o, row);
    return named(parse_int(value, (long long)row->least, (long long)row->most, n, e), row, e);
}

int take_real(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    return named(parse_double(value, row->least, row->most, field(o, row), e), row, e);
}

int take_duration(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    return named(parse_duration(value, field(o, row), e), row, e);
}

static void imply_slurm(struct options *o)
{
    if (o->where == WHERE_AS_BEFORE)
        o->where = WHERE_SLURM;
}

int take_setting(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    const enum site_setting x = (enum site_setting)row->least;
    OWNED char *from = xasprintf("--%s", row->name);
    const int rc = site_set(&o->site, x, value, from, e);
    if (x < SITE_SLURM_WORDS)
        imply_slurm(o);
    return named(rc, row, e);
}

/* An empty list would silently mean all. */
int take_nodes(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    if (!*value)
        return err_input(e, "--%s needs a name", row->name);
    imply_slurm(o);
    o->nodes = value;
    return 0;
}

int take_format(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    (void)e;
    o->formats = o->format != EXPORT_NONE;
    o->format = (enum export_format)row->least;
    o->file = value;
    return 0;
}

/* Before a seed is read. */
static int one_seed(struct options *o, struct err *e)
{
    if (o->seed.given)
        return err_input(e, "give one seed: --seed or --seed-file, once");
    o->seed.given = true;
    return 0;
}

int take_seed(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    return one_seed(o, e) == 0 ? named(parse_u64(value, &o->seed.value, e), row, e) : -1;
}

int take_seed_file(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    (void)row;
    return one_seed(o, e) == 0 ? seed_file_read(value, &o->seed.value, e) : -1;
}

int take_mutant_seed(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    return named(parse_u64(value, &o->mutant_seed, e), row, e);
}

int take_local(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    (void)row, (void)value, (void)e;
    o->where = WHERE_HERE;
    return 0;
}

int take_slurm(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    (void)row, (void)value, (void)e;
    o->where = WHERE_SLURM;
    return 0;
}

int take_platform(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    for (int i = 0; i < SCHEME_COUNT; i++)
        if (strcmp(scheme_names[i], value) == 0) {
            o->platform = i;
            return 0;
        }
    return err_input(e,
                     "--%s is canvas, moodle, gradescope, github, blackboard, brightspace or "
                     "directories, not '%s'",
                     row->name, value);
}

int take_digest(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    if (!digest_parse(value, o->digest))
        return err_input(e, "--%s: '%s' is not 64 hexadecimal digits", row->name, value);
    return 0;
}

/* A bare number would be seconds, and 30 is more likely meant as days. */
int take_age(struct options *o, const struct option_row *row, char *value, struct err *e)
{
    if (*value && !value[strspn(value, "0123456789.")])
        return err_input(e, "--%s: '%s' has no unit; write %sd for days", row->name, value, value);
    return take_duration(o, row, value, e);
}
