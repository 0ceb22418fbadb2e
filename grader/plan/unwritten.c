#include "plan/unwritten.h"

#include <ctype.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"

enum { TEMPLATE_MOST = 1 << 16 };

static const char *skip_comment(const char *p)
{
    const char *end = p[1] == '*' ? strstr(p + 2, "*/") : strchr(p, '\n');
    return !end ? p + strlen(p) : *end == '*' ? end + 2 : end;
}

/* A line with '#'. NULL: it may bring statements along. */
static const char *skip_directive(const char *p, const char *header)
{
    p += 1 + strspn(p + 1, " \t");
    if (strncmp(p, "include", strlen("include")) != 0)
        return NULL;
    p += strlen("include");
    p += strspn(p, " \t");
    const size_t n = strlen(header);
    const bool ours = *p == '"' && strncmp(p + 1, header, n) == 0 && p[1 + n] == '"';
    return ours || *p == '<' ? p + strcspn(p, "\n") : NULL;
}

/* What does nothing: "(void)M," or "return 0;" in a function; outside of all, the words of
 * declarations. NULL: it may do something. */
static const char *skip_idle(const char *p, int depth)
{
    static const char unused[] = "(void)", nothing[] = "return 0;";
    if (!depth)
        return isalnum((unsigned char)*p) || strchr("_*,()[];&", *p) ? p + 1 : NULL;
    if (strchr(",;", *p))
        return p + 1;
    if (strncmp(p, nothing, strlen(nothing)) == 0)
        return p + strlen(nothing);
    if (strncmp(p, unused, strlen(unused)) != 0)
        return NULL;
    for (p += strlen(unused); isalnum((unsigned char)*p) || strchr("_ ", *p); p++)
        if (!*p)
            break;
    return p;
}

bool source_is_unwritten(const char *text, const char *header)
{
    int depth = 0;
    if (!strstr(text, UNWRITTEN_MARK))
        return false;
    for (const char *p = text; *p;) {
        if (isspace((unsigned char)*p))
            p++;
        else if (*p == '/' && (p[1] == '*' || p[1] == '/'))
            p = skip_comment(p);
        else if (*p == '{' || (*p == '}' && depth))
            depth += *p++ == '{' ? 1 : -1;
        else if (!(p = *p == '#' ? skip_directive(p, header) : skip_idle(p, depth)))
            return false;
    }
    return true;
}

void unwritten_settle(struct choice *c, const char *dir, const struct tier *t)
{
    if (!c->source || c->preset)
        return;
    OWNED char *path = xasprintf("%s/%s", dir, c->source), *text = NULL;
    OWNED char *header = xasprintf("%s.h", t->kernel->problem);
    if (fs_read(path, TEMPLATE_MOST, &text, NULL, NULL) == 0) {
        if (source_is_unwritten(text, header))
            choice_settle(c, VERDICT_MISSING, xasprintf("%s is not yet written", c->source));
    }
}
