/* `deadline`: until when submissions may come, and what late ones lose. */
#include <stdlib.h>
#include <string.h>

#include "base/instant.h"
#include "model/assignment_fields.h"
#include "model/assignment_read.h"

enum { MS = 1000, DAY_MS = 24 * 3600 * MS };

static const char *const sources[] = {"submitted", "files", NULL};

static int64_t read_seconds(const struct yaml_at *map, const char *key, int64_t otherwise_ms)
{
    struct yaml_at f = yaml_get(map, key);
    return yaml_duration(&f, otherwise_ms) / MS;
}

void read_deadline(const struct yaml_at *at, struct deadline *d)
{
    struct err why = ERR_INIT;
    if (!yaml_present(at))
        return;
    yaml_expect_keys(at, KEYS("at", "grace", "every", "penalty", "most", "closed", "times"));
    struct yaml_at f = yaml_need(at, "at");
    const char *text = yaml_text(&f);
    if (text && instant_parse(text, &d->at, &why) != 0)
        yaml_error(&f, "%s", why.text);
    d->offset_s = text ? instant_offset(text) : 0;
    d->grace_s = read_seconds(at, "grace", 0);
    f = yaml_get(at, "every");
    d->every_s = yaml_duration(&f, DAY_MS) / MS;
    if (d->every_s < 1)
        yaml_error(&f, "must be one second or more");
    f = yaml_get(at, "penalty");
    d->penalty = yaml_number(&f, 0, 1, 0);
    f = yaml_get(at, "most");
    d->most = yaml_number(&f, 0, 1, 1);
    f = yaml_get(at, "closed");
    d->closed_s = yaml_duration(&f, 0) / MS;
    if (yaml_present(&f) && d->closed_s <= d->grace_s)
        yaml_error(&f, "must be more than grace");
    f = yaml_get(at, "times");
    d->from_files = yaml_choice(&f, sources, 0) == 1;
    d->given = true;
}
