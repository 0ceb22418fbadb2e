#include "rundir/resume_options.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "rundir/paths.h"
#include "rundir/tools.h"

enum { SESSION_MAX_BYTES = 16 << 20 };

/* unit -> [failures, of these cancelled] */
static json_t *failures_so_far(const struct run *r)
{
    json_t *all = json_object();
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const char *id = r->plan->units[i].id;
        struct attempt_count c = attempt_failures(r->dir, id);
        if (c.failures)
            json_object_set_new(all, id, json_pack("[i, i]", c.failures, c.cancelled));
    }
    return all;
}

struct attempt_count resume_options_count(const struct resume_options *s, const char *unit_id,
                                          struct attempt_count now)
{
    const json_t *was = json_object_get(s->failures, unit_id);
    now.failures -= (int)json_integer_value(json_array_get(was, 0));
    now.cancelled -= (int)json_integer_value(json_array_get(was, 1));
    return now;
}

int resume_options_save(const struct run *r, const struct execute_options *o, struct err *e)
{
    json_t *j = json_pack("{s:b, s:i, s:s?, s:s?, s:s?, s:o, s:o}", "slurm", o->slurm, "jobs",
                          o->jobs, "partition", o->partition, "account", o->account, "qos", o->qos,
                          "tools", tools_json(), "failures", failures_so_far(r));
    if (!j)
        return err_input(e, "partition, account and qos must be UTF-8 text");
    char *text = json_dumps(j, JSON_INDENT(1)), *path = rundir_resume_options(r->dir);
    int rc = fs_write_atomic(path, text, strlen(text), e);
    free(path);
    free(text);
    json_decref(j);
    return rc;
}

static char *copy_text(const json_t *j, const char *key)
{
    const char *s = json_string_value(json_object_get(j, key));
    return s && *s ? xstrdup(s) : NULL;
}

int resume_options_load(const char *run, struct resume_options *s, struct err *e)
{
    *s = (struct resume_options){0};
    char *path = rundir_resume_options(run), *text = NULL;
    int rc = 0;
    if (!fs_exists(path)) {
        free(path);
        return 1;
    }
    rc = fs_read(path, SESSION_MAX_BYTES, &text, NULL, e);
    if (rc == 0) {
        int slurm = 0;
        json_t *j = json_loads(text, 0, NULL);
        if (json_unpack(j, "{s:b, s:i}", "slurm", &slurm, "jobs", &s->jobs) != 0) {
            rc = err_input(e, "%s: is damaged; remove it and give the options to resume again",
                           path);
        } else {
            s->slurm = slurm;
            s->partition = copy_text(j, "partition");
            s->account = copy_text(j, "account");
            s->qos = copy_text(j, "qos");
            s->failures = json_incref(json_object_get(j, "failures"));
        }
        json_decref(j);
    }
    free(text);
    free(path);
    return rc;
}

void resume_options_free(struct resume_options *s)
{
    free(s->partition);
    free(s->account);
    free(s->qos);
    json_decref(s->failures);
    *s = (struct resume_options){0};
}
