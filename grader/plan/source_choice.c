#include "plan/source_choice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/source_name.h"

void choice_settle(struct choice *c, enum verdict v, char *message)
{
    c->preset = true;
    c->verdict = v;
    c->message = message;
}

static char *accepted_names(const struct tier *t)
{
    struct strbuf sb = STRBUF_INIT;
    for (unsigned i = 0; i < t->sources_count; i++)
        strbuf_addf(&sb, "%s%s", i ? " or " : "", t->sources[i]);
    return strbuf_detach(&sb);
}

struct choice choose_source(const char *dir, const struct assignment *a, const struct tier *t)
{
    struct choice c = {0};
    for (unsigned i = 0; i < t->sources_count && !c.source && !c.preset; i++) {
        const char *name = t->sources[i];
        char *path = xasprintf("%s/%s", dir, name);
        struct stat st;
        if (lstat(path, &st) != 0) {
            if (errno != ENOENT)
                choice_settle(&c, VERDICT_MISSING, xasprintf("%s: %s", name, strerror(errno)));
        } else if (S_ISLNK(st.st_mode)) {
            choice_settle(&c, VERDICT_FORBIDDEN,
                          xasprintf("%s is a symbolic link; hand in the file itself", name));
        } else if (!S_ISREG(st.st_mode)) {
            choice_settle(&c, VERDICT_FORBIDDEN, xasprintf("%s is not a regular file", name));
        } else if (fs_is_foreign_link(path, &st)) {
            choice_settle(&c, VERDICT_FORBIDDEN,
                          xasprintf("%s is a hard link to a file of somebody else; copy it instead "
                                    "of linking it",
                                    name));
        } else if ((uint64_t)st.st_size > a->limits.source_bytes) {
            choice_settle(&c, VERDICT_FORBIDDEN,
                          xasprintf("%s has %lld bytes; the limit is %llu", name,
                                    (long long)st.st_size,
                                    (unsigned long long)a->limits.source_bytes));
        } else if (source_is_cxx(name) && !t->compile_cxx) {
            choice_settle(&c, VERDICT_FORBIDDEN,
                          xasprintf("%s is C++, and this tier takes only C", name));
        } else {
            c.source = name;
        }
        free(path);
    }
    if (!c.source && !c.preset) {
        char *names = accepted_names(t);
        choice_settle(&c, VERDICT_MISSING, xasprintf("there is no %s", names));
        free(names);
    }
    return c;
}
