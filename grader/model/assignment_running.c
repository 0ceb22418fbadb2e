#include "model/assignment_running.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/yaml_json.h"
#include "model/field.h"

/* Without the fields whose change leaves what was measured, and without a mapping of such fields
 * only. */
static void drop(json_t *from, const struct field_map *maps, unsigned count)
{
    for (const struct field_map *m = maps; m < maps + count; m++) {
        json_t *map = m->key ? json_object_get(from, m->key) : from;
        bool dropped = false;
        for (unsigned i = 0; i < m->rows; i++)
            if (m->row[i].again == FIELD_KEEP && json_object_del(map, m->row[i].key) == 0)
                dropped = true;
        if (m->key && dropped && !json_object_size(map))
            json_object_del(from, m->key);
    }
}

static bool has_name(const json_t *item, const char *name)
{
    const char *is = json_string_value(json_object_get(item, "name"));
    return is && strcmp(is, name) == 0;
}

static json_t *by_name(const json_t *tiers)
{
    json_t *o = json_object(), *tier;
    size_t i;
    json_array_foreach(tiers, i, tier)
    {
        const char *name = json_string_value(json_object_get(tier, "name"));
        json_auto_t *fields = json_copy(tier);
        if (name)
            json_object_set(o, name, fields);
        drop(fields, tier_fields, OF_TIER);
    }
    return o;
}

/* Profiles that are not in use do not matter. */
static json_t *profile_in_use(const json_t *profiles, const char *name)
{
    json_t *item;
    size_t i;
    json_array_foreach(profiles, i, item)
    {
        if (has_name(item, name))
            return json_incref(item);
    }
    return json_null();
}

int assignment_running_load(const char *path, const char *profile, json_t **out, struct err *e)
{
    FREED_BY(yaml_close) struct yaml_file f = {0};
    *out = NULL;
    if (yaml_open(&f, path, e) != 0)
        return -1;
    json_t *all = yaml_json(&f);
    json_object_set_new(all, "tiers", by_name(json_object_get(all, "tiers")));
    json_object_set_new(all, "profiles", profile_in_use(json_object_get(all, "profiles"), profile));
    drop(all, assignment_fields, OF_ASSIGNMENT);
    *out = all;
    return 0;
}

/* The first key whose values differ, in either object; with the path inside, as far as both are
 * mappings. */
static char *differs(const char *path, const json_t *was, const json_t *is)
{
    const json_t *const side[2] = {was, is};
    for (int k = 0; k < 2; k++) {
        const char *key;
        json_t *value;
        json_object_foreach((json_t *)side[k], key, value)
        {
            const json_t *other = json_object_get(side[!k], key);
            if (other && json_equal(value, other))
                continue;
            char *at = xasprintf("%s%s%s", path, *path ? "." : "", key);
            char *inner =
                json_is_object(value) && json_is_object(other) ? differs(at, value, other) : NULL;
            if (!inner)
                return at;
            free(at);
            return inner;
        }
    }
    return NULL;
}

char *assignment_running_differs(const json_t *was, const json_t *is)
{
    json_auto_t *a = json_copy((json_t *)was), *b = json_copy((json_t *)is);
    json_object_del(a, "tiers");
    json_object_del(b, "tiers");
    return differs("", a, b);
}

char *assignment_running_tier_differs(const json_t *was, const json_t *is, const char *tier)
{
    const json_t *a = json_object_get(json_object_get(was, "tiers"), tier);
    const json_t *b = json_object_get(json_object_get(is, "tiers"), tier);
    OWNED char *path = xasprintf("tiers.%s", tier);
    return a && b ? differs(path, a, b) : a || b ? xstrdup(path) : NULL;
}
