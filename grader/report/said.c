#include "report/said.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

static const char next_step[] = "Next: ";

/* Length of the first sentence, with its full stop: a capital letter follows after a blank. */
static size_t sentence_length(const char *text)
{
    for (const char *stop = text; (stop = strstr(stop, ". ")); stop++)
        if (isupper((unsigned char)stop[2]))
            return (size_t)(stop - text) + 1;
    return strlen(text);
}

/* Where it stands; NULL: it was not there. */
static const char *keep(struct said *s, const char *where, const char *text, size_t n)
{
    for (size_t i = 0; i < s->count; i++)
        if (strlen(s->sentence[i].text) == n && memcmp(s->sentence[i].text, text, n) == 0)
            return s->sentence[i].where;
    s->sentence = xrealloc_array(s->sentence, s->count + 1, sizeof *s->sentence);
    s->sentence[s->count++] = (struct sentence){xasprintf("%.*s", (int)n, text), xstrdup(where)};
    return NULL;
}

char *said_new(struct said *s, const char *where, const char *text)
{
    struct strbuf sb = STRBUF_INIT;
    bool any = false;
    if (!s)
        return xstrdup(text);
    for (size_t n; *text; text += n + strspn(text + n, " ")) {
        n = sentence_length(text);
        const char *blank = sb.len ? " " : "";
        const char *said = keep(s, where, text, n);
        any = any || !said;
        if (!said)
            strbuf_addf(&sb, "%s%.*s", blank, (int)n, text);
        else if (strncmp(text, next_step, sizeof next_step - 1) == 0)
            strbuf_addf(&sb, "%s%sas for %s.", blank, next_step, said);
    }
    if (!any)
        strbuf_clear(&sb);
    return strbuf_detach(&sb);
}

void said_free(struct said *s)
{
    for (size_t i = 0; i < s->count; i++) {
        free(s->sentence[i].text);
        free(s->sentence[i].where);
    }
    free(s->sentence);
    *s = (struct said){0};
}
