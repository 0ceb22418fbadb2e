#include "model/unit_sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/tree.h"
#include "model/source_name.h"

static void append(char ***list, const char *name)
{
    size_t n = 0;
    while (*list && (*list)[n])
        n++;
    *list = xrealloc_array(*list, n + 2, sizeof **list);
    (*list)[n] = name ? xstrdup(name) : NULL;
    (*list)[n + (name != NULL)] = NULL;
}

/* Does it lie in the directory of the assignment? */
static bool in_directory(const struct tier *t, const char *name)
{
    const size_t n = t->directory ? strlen(t->directory) : 0;
    return strncmp(name, t->directory ? t->directory : "", n) == 0;
}

int unit_sources_list(const char *dir, char ***names, struct err *e)
{
    size_t n;
    return tree_list(dir, SUBMISSION_FILES_MOST, names, &n, e);
}

void unit_sources_among(char *const *names, const struct tier *t, const char *source,
                        struct unit_sources *s)
{
    *s = (struct unit_sources){0};
    append(&s->compiled, source);
    append(&s->headers, NULL);
    for (size_t i = 0; names[i]; i++) {
        if (source_is_adapter(names[i]))
            continue;
        if (source_is_header(names[i]))
            append(&s->headers, names[i]);
        else if (strcmp(names[i], source) != 0 && tier_adds_source(t, names[i]) &&
                 in_directory(t, names[i]) == in_directory(t, source))
            append(&s->compiled, names[i]);
    }
}

int unit_sources_find(const char *dir, const struct tier *t, const char *source,
                      struct unit_sources *s, struct err *e)
{
    OWNED_TEXTS char **names = NULL;
    *s = (struct unit_sources){0};
    if (unit_sources_list(dir, &names, e) != 0)
        return -1;
    unit_sources_among(names, t, source, s);
    return 0;
}

void unit_sources_add(struct unit_sources *s, const char *name)
{
    append(&s->compiled, name);
}

bool unit_sources_have_cxx(const struct unit_sources *s)
{
    bool cxx = false;
    for (size_t i = 0; s->compiled[i]; i++)
        cxx = cxx || source_is_cxx(s->compiled[i]);
    return cxx;
}

void unit_sources_free(struct unit_sources *s)
{
    for (size_t i = 0; s->compiled && s->compiled[i]; i++)
        free(s->compiled[i]);
    for (size_t i = 0; s->headers && s->headers[i]; i++)
        free(s->headers[i]);
    free(s->compiled);
    free(s->headers);
}
