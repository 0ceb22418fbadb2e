#include "base/yaml_read.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"

struct yaml_at yaml_root(struct yaml_file *f)
{
    struct yaml_at at = {.file = f, .node = yaml_document_get_root_node(&f->doc)};
    at.line = (int)at.node->start_mark.line + 1;
    return at;
}

/* Messages go to a terminal, and may quote any character of the file. */
static void make_printable(char *text)
{
    for (; *text; text++)
        if (iscntrl((unsigned char)*text))
            *text = '?';
}

void yaml_error(const struct yaml_at *at, const char *fmt, ...)
{
    struct yaml_file *f = at->file;
    if (f->failed)
        return;
    f->failed = true;
    char text[900];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    make_printable(text);
    if (at->field[0])
        err_input(f->e, "%s:%d: field '%s': %s", f->path, at->line, at->field, text);
    else
        err_input(f->e, "%s:%d: %s", f->path, at->line, text);
}

bool yaml_present(const struct yaml_at *at)
{
    return at->node != NULL;
}

static yaml_node_t *node_of(const struct yaml_at *at, int index)
{
    return yaml_document_get_node(&at->file->doc, index);
}

/* The text of a scalar that is a C string, else NULL. */
static const char *scalar(const yaml_node_t *n)
{
    if (!n || n->type != YAML_SCALAR_NODE)
        return NULL;
    const char *s = (const char *)n->data.scalar.value;
    return strlen(s) == n->data.scalar.length ? s : NULL;
}

/* The number of edits (insert, delete, replace) between two short words, for "did you mean". */
static int edit_distance(const char *a, const char *b)
{
    int row[64];
    int m = (int)strlen(b);
    if (m >= 64 || strlen(a) >= 64)
        return 99;
    for (int j = 0; j <= m; j++)
        row[j] = j;
    for (int i = 1; a[i - 1]; i++) {
        int diagonal = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int keep = diagonal + (a[i - 1] != b[j - 1]);
            int least = row[j] + 1 < row[j - 1] + 1 ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = keep < least ? keep : least;
        }
    }
    return row[m];
}

static void unknown_key(const struct yaml_at *at, const yaml_node_t *key, const char *const *keys)
{
    struct yaml_at where = *at;
    const char *name = scalar(key), *nearest = NULL;
    int best = (int)strlen(name) / 3 + 2; /* a third of the letters may be wrong */
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    where.line = (int)key->start_mark.line + 1;
    if (strcmp(name, "<<") == 0) {
        yaml_error(&where, "merge keys (<<) are not supported; write the keys out");
        return;
    }
    for (size_t i = 0; keys[i]; i++) {
        bool begins = strlen(name) >= 3 && strncmp(name, keys[i], strlen(name)) == 0;
        int d = begins ? 1 : edit_distance(name, keys[i]);
        if (d < best) {
            best = d;
            nearest = keys[i];
        }
        strbuf_addf(&all, "%s%s", i ? ", " : "", keys[i]);
    }
    if (nearest)
        yaml_error(&where, "unknown key '%.60s'; did you mean '%s'?", name, nearest);
    else
        yaml_error(&where, "unknown key '%.60s'; known here: %s", name, all.s);
}

void yaml_expect_keys(const struct yaml_at *at, const char *const *keys)
{
    if (!at->node || at->file->failed)
        return;
    if (at->node->type != YAML_MAPPING_NODE) {
        yaml_error(at, "expected a mapping (key: value)");
        return;
    }
    yaml_node_pair_t *first = at->node->data.mapping.pairs.start;
    for (yaml_node_pair_t *p = first; p < at->node->data.mapping.pairs.top; p++) {
        const yaml_node_t *key = node_of(at, p->key);
        const char *name = scalar(key);
        struct yaml_at where = *at;
        where.line = (int)key->start_mark.line + 1;
        if (!name) {
            yaml_error(&where, "a key must be a plain word");
            return;
        }
        size_t i = 0;
        while (keys[i] && strcmp(keys[i], name) != 0)
            i++;
        if (!keys[i]) {
            unknown_key(at, key, keys);
            return;
        }
        for (yaml_node_pair_t *q = first; q < p; q++)
            if (strcmp(scalar(node_of(at, q->key)), name) == 0)
                yaml_error(&where, "the key '%s' is given twice", name);
    }
}

struct yaml_at yaml_get(const struct yaml_at *map, const char *key)
{
    struct yaml_at at = {.file = map->file, .line = map->line};
    snprintf(at.field, sizeof at.field, "%.100s%s%.50s", map->field, map->field[0] ? "." : "", key);
    if (!map->node || map->node->type != YAML_MAPPING_NODE)
        return at;
    for (yaml_node_pair_t *p = map->node->data.mapping.pairs.start;
         p < map->node->data.mapping.pairs.top; p++) {
        const char *name = scalar(node_of(map, p->key));
        if (name && strcmp(name, key) == 0) {
            at.node = node_of(map, p->value);
            at.line = (int)at.node->start_mark.line + 1;
            break;
        }
    }
    return at;
}

struct yaml_at yaml_need(const struct yaml_at *map, const char *key)
{
    struct yaml_at at = yaml_get(map, key);
    if (!at.node)
        yaml_error(&at, "is missing");
    return at;
}

bool yaml_pair(const struct yaml_at *map, unsigned i, const char **key, struct yaml_at *value)
{
    if (!map->node || map->file->failed)
        return false;
    if (map->node->type != YAML_MAPPING_NODE) {
        yaml_error(map, "expected a mapping (key: value)");
        return false;
    }
    const yaml_node_pair_t *p = map->node->data.mapping.pairs.start + i;
    if (p >= map->node->data.mapping.pairs.top)
        return false;
    *key = scalar(node_of(map, p->key));
    if (!*key) {
        yaml_error(map, "a key must be a plain word");
        return false;
    }
    *value = (struct yaml_at){.file = map->file, .node = node_of(map, p->value)};
    value->line = (int)value->node->start_mark.line + 1;
    snprintf(value->field, sizeof value->field, "%.100s%s%.50s", map->field,
             map->field[0] ? "." : "", *key);
    return true;
}

unsigned yaml_count(const struct yaml_at *list)
{
    if (!list->node)
        return 0;
    if (list->node->type != YAML_SEQUENCE_NODE) {
        yaml_error(list, "expected a list");
        return 0;
    }
    long n = list->node->data.sequence.items.top - list->node->data.sequence.items.start;
    if (n > YAML_LIST_MOST) {
        yaml_error(list, "the list has %ld items; at most %d are taken", n, YAML_LIST_MOST);
        return 0;
    }
    return (unsigned)n;
}

struct yaml_at yaml_item(const struct yaml_at *list, unsigned i)
{
    struct yaml_at at = {.file = list->file, .line = list->line};
    snprintf(at.field, sizeof at.field, "%.140s[%u]", list->field, i);
    at.node = node_of(list, list->node->data.sequence.items.start[i]);
    at.line = (int)at.node->start_mark.line + 1;
    return at;
}

const char *yaml_text(const struct yaml_at *at)
{
    if (!at->node || at->file->failed)
        return NULL;
    const char *s = scalar(at->node);
    if (s)
        return s;
    if (at->node->type == YAML_SCALAR_NODE)
        yaml_error(at, "holds a NUL character");
    else
        yaml_error(at, "is a %s; a single value is wanted",
                   at->node->type == YAML_SEQUENCE_NODE ? "list" : "mapping");
    return NULL;
}

static char *copy_text(const struct yaml_at *at, const char *otherwise)
{
    const char *s = yaml_text(at);
    if (s && !*s)
        yaml_error(at, "is empty");
    if (s)
        return xstrdup(s);
    return otherwise ? xstrdup(otherwise) : NULL;
}

char *yaml_string(const struct yaml_at *at, const char *otherwise)
{
    char *s = copy_text(at, otherwise);
    for (const char *p = s; p && *p; p++)
        if (iscntrl((unsigned char)*p))
            yaml_error(at, "must be one line without control characters");
    return s;
}

char *yaml_words(const struct yaml_at *at, const char *otherwise)
{
    char *s = copy_text(at, otherwise), *to = s;
    for (const char *p = s; p && *p; p++) {
        if (isspace((unsigned char)*p)) {
            if (to > s && to[-1] != ' ')
                *to++ = ' ';
        } else if (iscntrl((unsigned char)*p)) {
            yaml_error(at, "holds a control character");
        } else {
            *to++ = *p;
        }
    }
    if (s) {
        if (to > s && to[-1] == ' ')
            to--;
        *to = '\0';
    }
    return s;
}

/* Check the result of a strict parser, and record its error with the field. */
static bool parsed(const struct yaml_at *at, int rc, const struct err *e)
{
    if (rc == 0)
        return true;
    yaml_error(at, "%s", e->text);
    return false;
}

long long yaml_integer(const struct yaml_at *at, long long min, long long max, long long otherwise)
{
    struct err e = ERR_INIT;
    long long v;
    const char *s = yaml_text(at);
    return s && parsed(at, parse_int(s, min, max, &v, &e), &e) ? v : otherwise;
}

uint64_t yaml_u64(const struct yaml_at *at, uint64_t otherwise)
{
    struct err e = ERR_INIT;
    uint64_t v;
    const char *s = yaml_text(at);
    return s && parsed(at, parse_u64(s, &v, &e), &e) ? v : otherwise;
}

double yaml_number(const struct yaml_at *at, double min, double max, double otherwise)
{
    struct err e = ERR_INIT;
    double v;
    const char *s = yaml_text(at);
    return s && parsed(at, parse_double(s, min, max, &v, &e), &e) ? v : otherwise;
}

bool yaml_bool(const struct yaml_at *at, bool otherwise)
{
    static const char *const words[] = {"true", "yes", "on", "false", "no", "off"};
    const char *s = yaml_text(at);
    if (!s)
        return otherwise;
    for (size_t i = 0; i < 6; i++)
        if (strcmp(s, words[i]) == 0)
            return i < 3;
    yaml_error(at, "'%.60s' is neither true nor false", s);
    return otherwise;
}

int64_t yaml_duration(const struct yaml_at *at, int64_t otherwise_ms)
{
    struct err e = ERR_INIT;
    int64_t ms;
    const char *s = yaml_text(at);
    if (!s || !parsed(at, parse_duration(s, &ms, &e), &e))
        return otherwise_ms;
    if (ms <= 0)
        yaml_error(at, "must be longer than 0");
    return ms;
}

uint64_t yaml_bytes(const struct yaml_at *at, uint64_t otherwise)
{
    struct err e = ERR_INIT;
    uint64_t v;
    const char *s = yaml_text(at);
    if (!s || !parsed(at, parse_bytes(s, &v, &e), &e))
        return otherwise;
    if (v == 0)
        yaml_error(at, "must be more than 0");
    return v;
}

char **yaml_strings(const struct yaml_at *at, unsigned *count)
{
    *count = 0;
    if (!at->node)
        return NULL;
    bool single = at->node->type == YAML_SCALAR_NODE;
    unsigned n = single ? 1 : yaml_count(at);
    char **list = xcalloc(n, sizeof *list);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        struct yaml_at item = single ? *at : yaml_item(at, i);
        list[i] = yaml_string(&item, "");
        *count = i + 1;
    }
    return list;
}

int *yaml_integers(const struct yaml_at *at, int min, int max, unsigned *count)
{
    *count = 0;
    if (!at->node)
        return NULL;
    bool single = at->node->type == YAML_SCALAR_NODE;
    unsigned n = single ? 1 : yaml_count(at);
    int *list = xcalloc(n, sizeof *list);
    for (unsigned i = 0; i < n && !at->file->failed; i++) {
        struct yaml_at item = single ? *at : yaml_item(at, i);
        list[i] = (int)yaml_integer(&item, min, max, min);
    }
    *count = n;
    return list;
}

int yaml_choice(const struct yaml_at *at, const char *const *names, int otherwise)
{
    const char *s = yaml_text(at);
    if (!s)
        return otherwise;
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    for (int i = 0; names[i]; i++) {
        if (strcmp(names[i], s) == 0)
            return i;
        strbuf_addf(&all, "%s%s", i ? ", " : "", names[i]);
    }
    yaml_error(at, "'%.60s' is not one of: %s", s, all.s);
    return otherwise;
}
