#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/term.h"

/* --- reading ------------------------------------------------------------------------------ */

/* `what` is freed. */
static void fail(struct json_reader *rd, char *what)
{
    if (!rd->failed && rd->kind == ERR_INPUT)
        err_input(rd->e, "%s: is damaged: %s", rd->path, what);
    else if (!rd->failed)
        err_system(rd->e, "%s: is damaged: %s", rd->path, what);
    rd->failed = true;
    free(what);
}

bool json_is_text(const char *s)
{
    json_auto_t *j = json_string(s);
    return j != NULL;
}

json_t *json_read_file(struct json_reader *rd, size_t max)
{
    char *text;
    size_t len;
    if (fs_read(rd->path, max, &text, &len, rd->e) != 0) {
        rd->failed = true;
        return NULL;
    }
    json_error_t why;
    json_t *o = json_loadb(text, len, 0, &why);
    free(text);
    if (!o)
        fail(rd, xasprintf("%s (line %d)", why.text, why.line));
    if (o && !json_is_object(o)) {
        fail(rd, xstrdup("not a JSON object"));
        json_decref(o);
        o = NULL;
    }
    return o;
}

void json_bad_field(struct json_reader *rd, const char *key, const char *what)
{
    fail(rd, xasprintf("field '%s' %s", key, what));
}

char *json_read_text(struct json_reader *rd, const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    if (!s)
        json_bad_field(rd, key, "is not a string");
    return xstrdup(s ? s : "");
}

void json_read_text_into(struct json_reader *rd, const json_t *o, const char *key, char *out,
                         size_t cap)
{
    OWNED char *s = json_read_text(rd, o, key);
    size_t n = strlen(s);
    if (n >= cap)
        n = cap - 1;
    memcpy(out, s, n);
    out[n] = '\0';
}

long long json_read_int(struct json_reader *rd, const json_t *o, const char *key, long long min,
                        long long max)
{
    const json_t *v = json_object_get(o, key);
    long long n = (long long)json_integer_value(v);
    if (!json_is_integer(v) || n < min || n > max) {
        json_bad_field(rd, key, "is not a whole number in its range");
        return min > 0 ? min : 0;
    }
    return n;
}

double json_read_number(struct json_reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (json_is_null(v))
        return NAN;
    if (!json_is_number(v)) {
        json_bad_field(rd, key, "is not a number");
        return NAN;
    }
    return json_number_value(v);
}

bool json_read_bool(struct json_reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_boolean(v))
        json_bad_field(rd, key, "is neither true nor false");
    return json_is_true(v);
}

const json_t *json_read_list(struct json_reader *rd, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (!json_is_array(v))
        json_bad_field(rd, key, "is not a list");
    return v;
}

/* --- writing ------------------------------------------------------------------------------ */

json_t *json_number_or_null(double v)
{
    return isfinite(v) ? json_real(v) : json_null();
}

json_t *json_printable(const char *s)
{
    OWNED char *clean = xstrdup(s ? s : "");
    term_make_printable(clean);
    json_t *v = json_string(clean);
    if (!v) { /* not UTF-8 */
        for (char *p = clean; *p; p++)
            if ((unsigned char)*p >= 0x80)
                *p = '?';
        v = json_string(clean);
    }
    return v;
}

char *json_file_text(const json_t *o)
{
    OWNED char *text = json_dumps(o, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
    if (!text)
        return NULL;
    return xasprintf("%s\n", text);
}

static int put(int (*write)(const char *, const void *, size_t, struct err *), const char *path,
               json_t *o, struct err *e)
{
    OWNED char *text = json_file_text(o);
    int rc = text ? write(path, text, strlen(text), e)
                  : err_system(e, "%s: cannot be written as JSON", path);
    json_decref(o);
    return rc;
}

int json_write_file(const char *path, json_t *o, struct err *e)
{
    return put(fs_write_atomic, path, o, e);
}

int json_publish_file(const char *path, json_t *o, struct err *e)
{
    return put(fs_publish_once, path, o, e);
}

int json_print(FILE *f, json_t *o, struct err *e)
{
    int rc = o ? json_dumpf(o, f, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) : -1;
    json_decref(o);
    if (rc != 0 || fputc('\n', f) == EOF)
        return err_system(e, "the JSON output cannot be written");
    return 0;
}
