#include "rundir/resume_options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/json.h"
#include "base/strbuf.h"
#include "rundir/paths.h"
#include "rundir/tools.h"

enum { OPTIONS_MAX_BYTES = 16 << 20 };

/* unit -> [failures, of these cancelled, of these postponed] */
static json_t *failures_so_far(const struct run *r)
{
    json_t *all = json_object();
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const char *id = r->plan->units[i].id;
        struct attempt_count c = attempt_failures(r->dir, id);
        if (c.failures)
            json_object_set_new(all, id,
                                json_pack("[i, i, i]", c.failures, c.cancelled, c.postponed));
    }
    return all;
}

struct attempt_count resume_options_count(const struct resume_options *s, const char *unit_id,
                                          struct attempt_count now)
{
    const json_t *was = json_object_get(s->failures, unit_id);
    now.failures -= (int)json_integer_value(json_array_get(was, 0));
    now.cancelled -= (int)json_integer_value(json_array_get(was, 1));
    now.postponed -= (int)json_integer_value(json_array_get(was, 2));
    return now;
}

bool resume_options_ended(const struct run *r, const struct resume_options *s, const char *unit_id,
                          int *failures)
{
    const struct attempt_count all = attempt_failures(r->dir, unit_id);
    const struct attempt_count c = resume_options_count(s, unit_id, all);
    /* After an unexplained end there is one more attempt, even when the assignment allows no
     * retries: code that kills itself must not get away without a verdict. */
    const int most = r->assignment->submit.retries + (all.unexplained > 0);
    if (failures)
        *failures = c.failures;
    return c.cancelled > 0 || c.failures - c.postponed > most;
}

static json_t *site_json(const struct site *s)
{
    json_t *o = json_object();
    for (int x = 0; x < SITE_SETTINGS; x++)
        if (s->value[x] && json_object_set_new(o, site_setting_name((enum site_setting)x),
                                               json_string(s->value[x])) != 0) {
            json_decref(o);
            return NULL;
        }
    return o;
}

static void read_site(struct json_reader *rd, const json_t *o, const char *key, struct site *s)
{
    const json_t *from = json_object_get(o, key);
    for (int x = 0; x < SITE_SETTINGS; x++) {
        const char *name = site_setting_name((enum site_setting)x);
        const char *text = json_string_value(json_object_get(from, name));
        if (text && site_restore(s, (enum site_setting)x, text, rd->path, NULL) != 0)
            json_bad_field(rd, name, "has a value that it cannot have");
    }
}

/* Which programs have graded until now is about to be replaced. */
static int note_tools(const struct run *r, const json_t *is, struct err *e)
{
    json_auto_t *was = resume_options_tools(r->dir);
    char digest[DIGEST_HEX] = "";
    if (!json_equal(was, is))
        tools_digest(was, digest);
    return tools_note(r, digest, e);
}

int resume_options_save(const struct run *r, const struct resume_options *s, struct err *e)
{
    json_t *site = site_json(&s->site), *given = site_json(&s->given), *tools = tools_json();
    const int noted = note_tools(r, tools, e);
    json_t *o =
        json_pack("{s:b, s:i, s:o, s:o, s:o, s:o}", "slurm", s->slurm, "jobs", s->jobs, "site",
                  site, "site_given", given, "tools", tools, "failures", failures_so_far(r));
    if (!o)
        return err_input(
            e, "the settings of the site, and the options that replace them, must be UTF-8 text");
    OWNED char *path = rundir_resume_options(r->dir);
    return noted == 0 ? json_write_file(path, o, e) : -1;
}

int resume_options_load(const char *run, struct resume_options *s, struct err *e)
{
    *s = (struct resume_options){0};
    char *path = rundir_resume_options(run);
    struct json_reader rd = {path, ERR_INPUT, e, false};
    json_t *o = NULL;
    int rc = 1;
    if (!fs_exists(path))
        goto out;
    o = json_read_file(&rd, OPTIONS_MAX_BYTES);
    if (o) {
        s->slurm = json_read_bool(&rd, o, "slurm");
        s->jobs = (int)json_read_int(&rd, o, "jobs", INT_MIN, INT_MAX);
        read_site(&rd, o, "site", &s->site);
        read_site(&rd, o, "site_given", &s->given);
        s->failures = json_incref(json_object_get(o, "failures"));
    }
    rc = 0;
    if (rd.failed) {
        char *why = xstrdup(e ? e->text : "");
        rc = err_input(e, "%s; remove the file and give the options to resume again", why);
        free(why);
    }
out:
    json_decref(o);
    free(path);
    return rc;
}

json_t *resume_options_tools(const char *run)
{
    OWNED char *path = rundir_resume_options(run);
    struct json_reader rd = {.path = path};
    json_t *o = json_read_file(&rd, OPTIONS_MAX_BYTES), *tools = json_object_get(o, "tools");
    tools = tools ? json_incref(tools) : json_null();
    json_decref(o);
    return tools;
}

void resume_options_free(struct resume_options *s)
{
    site_free(&s->site);
    site_free(&s->given);
    json_decref(s->failures);
    *s = (struct resume_options){0};
}
