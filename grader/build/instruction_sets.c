#include "build/instruction_sets.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"

static const struct {
    const char *option, *name;
} sets[] = {
    {"-msse4.2", "SSE4.2"},      {"-mavx", "AVX"},
    {"-mavx2", "AVX2"},          {"-mfma", "FMA"},
    {"-mf16c", "F16C"},          {"-mavx512f", "AVX-512F"},
    {"-mavx512bw", "AVX-512BW"}, {"-mavx512dq", "AVX-512DQ"},
    {"-mavx512vl", "AVX-512VL"}, {"-mavx512vnni", "AVX-512 VNNI"},
};

enum { SETS = sizeof sets / sizeof sets[0] };

/* Is the word among the words of the text? */
static bool has_word(const char *text, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n)
        if ((at == text || at[-1] == ' ') && (!at[n] || at[n] == ' '))
            return true;
    return false;
}

char *instruction_sets_text(const char *compile)
{
    FREED_BY(strbuf_free) struct strbuf names = STRBUF_INIT, options = STRBUF_INIT;
    int count = 0, named = 0;
    if (strstr(compile, "-march=") || strstr(compile, "-mcpu=") || strstr(compile, "-xHost"))
        return NULL;
    for (int i = 0; i < SETS; i++)
        count += has_word(compile, sets[i].option);
    for (int i = 0; i < SETS; i++) {
        if (!has_word(compile, sets[i].option))
            continue;
        strbuf_addf(&names, "%s%s",
                    !named               ? ""
                    : named + 1 == count ? " and "
                                         : ", ",
                    sets[i].name);
        strbuf_addf(&options, "%s%s", named ? " " : "", sets[i].option);
        named++;
    }
    return named ? xasprintf("%s only (%s)", names.s, options.s)
                 : xstrdup("any x86-64 processor, which has SSE2 only (no option -mavx2)");
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The name in quotes after `mark`: "_mm512_add_epi32". g++ writes a prototype there: the name is
 * what is before the bracket. NULL: there is none. The caller frees it. */
static char *quoted_name(const char *line, const char *mark)
{
    const char *at = strstr(line, mark);
    if (!at)
        return NULL;
    at += strlen(mark);
    while (*at && *at != '\n' && !is_name(*at))
        at++;
    const char *end = at + strcspn(at, "(':\n"); /* "': target specific option mismatch" */
    if (*end == '(')
        for (at = end; is_name(at[-1]);)
            at--;
    size_t n = 0;
    while (is_name(at[n]))
        n++;
    return n ? xasprintf("%.*s", (int)n, at) : NULL;
}

/* "simd.c:12: " of the first line with `mark`; "" if there is none. The caller frees it. */
static char *place_of(const char *log, const char *mark)
{
    const char *found = strstr(log, mark), *from = found;
    while (from && from > log && from[-1] != '\n')
        from--;
    const char *colon = from ? strchr(from, ':') : NULL;
    if (!colon || colon > found || !isdigit((unsigned char)colon[1]))
        return xstrdup("");
    return xasprintf("%.*s: ", (int)(colon + 1 - from) + (int)strspn(colon + 1, "0123456789"),
                     from);
}

char *instruction_sets_missing(const char *log, const char *compile)
{
    /* gcc's words, then clang's. gcc names the line of the header, and below it that of the call.
     */
    const char *const first = strstr(log, "error:");
    const bool gcc = first && strstr(first, "target specific option mismatch");
    const bool clang = first && strstr(first, "requires target feature");
    if (!gcc && !clang)
        return NULL;
    OWNED char *name = quoted_name(first, gcc ? "always_inline" : "always_inline function");
    OWNED char *place = place_of(log, gcc ? ": note: called from here" : "error:");
    OWNED char *compiled = instruction_sets_text(compile);
    return xasprintf("%s%s needs instructions that this tier is not compiled for%s%s", place,
                     name ? name : "a function", compiled ? ": it is compiled for " : "",
                     compiled ? compiled : "");
}
