#include "rundir/tools.h"

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/strbuf.h"
#include "base/version.h"
#include "rundir/attempts.h"

json_t *tools_json(void)
{
    json_t *tools = json_pack("{s:s}", "paragrade", PARAGRADE_VERSION);
    OWNED char *dir = install_path("libexec/paragrade");
    OWNED_TEXTS char **names = NULL;
    size_t n;
    if (fs_list(dir, &names, &n, NULL) == 0) {
        for (size_t i = 0; i < n; i++) {
            char *path = xasprintf("%s/%s", dir, names[i]), digest[DIGEST_HEX];
            if (digest_file(path, digest, NULL) == 0)
                json_object_set_new(tools, names[i], json_string(digest));
            free(path);
        }
    }
    return tools;
}

void tools_digest(const json_t *tools, char out[DIGEST_HEX])
{
    OWNED char *text = json_dumps(tools, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENCODE_ANY);
    out[0] = '\0';
    if (!json_is_null(tools) && text)
        digest_bytes(text, strlen(text), out);
}

int tools_note(const struct run *r, const char *digest, struct err *e)
{
    bool changed = false;
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        struct unit *u = &r->plan->units[i];
        if (u->preset || (!u->tools && !*digest))
            continue;
        const bool has = attempt_has_result(r->dir, u->id);
        if (has == (u->tools != NULL))
            continue;
        free(u->tools);
        u->tools = has ? xstrdup(digest) : NULL;
        changed = true;
    }
    return changed ? plan_save(r->plan, r->dir, e) : 0;
}
