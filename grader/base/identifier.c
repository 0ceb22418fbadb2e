#include "base/identifier.h"

#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"

bool identifier_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
}

bool identifier_ok(const char *id)
{
    size_t n = strlen(id);
    if (!n || n > IDENTIFIER_MAX || id[0] == '.' || id[0] == '-')
        return false;
    for (size_t i = 0; i < n; i++)
        if (!identifier_char(id[i]))
            return false;
    return true;
}

char *identifier_encode(const char *name)
{
    FREED_BY(strbuf_free) struct strbuf sb = STRBUF_INIT;
    for (const char *p = name; *p; p++) {
        if (identifier_char(*p) && !(p == name && (*p == '.' || *p == '-')))
            strbuf_add(&sb, p, 1);
        else
            strbuf_addf(&sb, "%%%02X", (unsigned char)*p);
    }
    if (sb.len <= IDENTIFIER_MAX)
        return strbuf_detach(&sb);
    char hash[HASH_HEX];
    hash_bytes(name, strlen(name), hash);
    return xasprintf("%.*s-%.16s", IDENTIFIER_MAX - 20, sb.s, hash);
}

char *identifier_path(const char *name)
{
    struct strbuf sb = STRBUF_INIT;
    for (size_t n; *name; name += n + (name[n] == '/')) {
        n = strcspn(name, "/");
        OWNED char *part = xasprintf("%.*s", (int)n, name), *shown = identifier_encode(part);
        strbuf_addf(&sb, "%s%s", shown, name[n] == '/' ? "/" : "");
    }
    return strbuf_detach(&sb);
}
