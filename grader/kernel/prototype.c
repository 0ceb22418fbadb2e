#include "kernel/prototype.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

static void skip_blanks(const char **at)
{
    while (**at == ' ')
        (*at)++;
}

static bool take(const char **at, char c)
{
    skip_blanks(at);
    if (**at != c)
        return false;
    (*at)++;
    return true;
}

/* The word that comes next; its length, which may be 0. */
static size_t next_word(const char **at, const char **word)
{
    size_t n = 0;
    skip_blanks(at);
    *word = *at;
    while (isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_')
        n++;
    *at += n;
    return n;
}

static int no_type(const char *word, size_t n, struct err *e)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    for (int i = 0; i < TYPE_ALL; i++)
        strbuf_addf(&known, "%s, ", type_in_c((enum element_type)i));
    err_input(e, "'%.*s' is no type; there are: %sint, and T, which `types` lists", (int)n, word,
              known.s);
    return -1;
}

static int read_type(const char **at, bool may_be_void, struct prototype_type *t, struct err *e)
{
    const char *word, *complex = NULL;
    const size_t n = next_word(at, &word);
    *t = (struct prototype_type){0};
    if (n == 1 && *word == 'T')
        t->is_t = true;
    else if (may_be_void && n == 4 && memcmp(word, "void", 4) == 0)
        t->is_void = true;
    else if (!type_find(word, n, &t->type))
        return no_type(word, n, e);
    /* "float _Complex" */
    const char *after = *at;
    const size_t more = next_word(&after, &complex);
    if (type_is_real(t->type) && !t->is_t && !t->is_void && more == 8 &&
        memcmp(complex, "_Complex", 8) == 0) {
        t->type = t->type == TYPE_F32 ? TYPE_C64 : TYPE_C128;
        *at = after;
    }
    return 0;
}

/* Students' sources could not be compiled with such a name, and the trusted source, which is C, may
 * well be. Names that begin with _ and a capital letter, or hold __, are the compiler's. */
static bool is_reserved(const char *name)
{
    static const char words[] =
        " alignas alignof and and_eq asm atomic_cancel auto bitand bitor bool break case catch char"
        " char16_t char32_t char8_t class co_await co_return co_yield compl concept const"
        " const_cast consteval constexpr constinit continue decltype default delete do double"
        " dynamic_cast else enum explicit export extern false float for friend goto if inline int"
        " long main mutable namespace new noexcept not not_eq nullptr operator or or_eq private"
        " protected public register reinterpret_cast requires restrict return short signed sizeof"
        " static static_assert static_cast struct switch template this thread_local throw true try"
        " typedef typeid typename typeof union unsigned using virtual void volatile wchar_t while"
        " xor xor_eq NULL EOF errno linux unix int8_t int16_t int32_t int64_t uint8_t uint16_t"
        " uint32_t uint64_t c64 c128 ";
    char word[PROTOTYPE_NAME + 2];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(words, word) || strstr(name, "__") ||
           (name[0] == '_' && isupper((unsigned char)name[1]));
}

/* Types and macros of their headers, and functions that students may not define. */
static bool is_of_library(const char *name)
{
    return strncmp(name, "MPI_", 4) == 0 || strncmp(name, "cuda", 4) == 0;
}

static int read_name(const char **at, char name[PROTOTYPE_NAME], const char *of, struct err *e)
{
    const char *word;
    const size_t n = next_word(at, &word);
    if (!n || isdigit((unsigned char)*word))
        return err_input(e,
                         "the name of %s is missing; write, for example, T dot(int n, const T "
                         "*x, const T *y)",
                         of);
    if (n >= PROTOTYPE_NAME)
        return err_input(e, "'%.*s' is too long for a name; %d characters are allowed", (int)n,
                         word, PROTOTYPE_NAME - 1);
    memcpy(name, word, n);
    name[n] = '\0';
    const char *of_what = is_reserved(name) ? "C or C++" : "MPI or CUDA";
    return is_reserved(name) || is_of_library(name)
               ? err_input(e,
                           "'%s' is a word of %s; choose another name, because sources that have "
                           "it do not compile",
                           name, of_what)
               : 0;
}

static bool take_const(const char **at)
{
    const char *word, *before = *at;
    if (next_word(at, &word) == 5 && memcmp(word, "const", 5) == 0)
        return true;
    *at = before;
    return false;
}

static int read_parameter(const char **at, struct prototype *p, struct err *e)
{
    struct parameter *q = &p->parameter[p->parameters];
    char of[32];
    snprintf(of, sizeof of, "parameter %d", p->parameters + 1);
    q->constant = take_const(at);
    if (read_type(at, false, &q->type, e) != 0)
        return -1;
    q->pointer = take(at, '*');
    if (read_name(at, q->name, of, e) != 0)
        return -1;
    for (int i = 0; i < p->parameters; i++)
        if (strcmp(p->parameter[i].name, q->name) == 0)
            return err_input(e, "there are two parameters named '%s'", q->name);
    p->parameters++;
    return 0;
}

int prototype_read(const char *text, struct prototype *p, struct err *e)
{
    const char *at = text;
    *p = (struct prototype){0};
    if (read_type(&at, true, &p->result, e) != 0)
        return -1;
    if (take(&at, '*'))
        return err_input(e, "the result is a pointer; results are numbers, and arrays are "
                            "parameters");
    if (read_name(&at, p->name, "the function", e) != 0)
        return -1;
    if (!take(&at, '('))
        return err_input(e, "after the name of the function, ( is expected, not '%.20s'", at);
    do {
        if (p->parameters == PROTOTYPE_PARAMETERS)
            return err_input(e, "the function has more than %d parameters", PROTOTYPE_PARAMETERS);
        if (read_parameter(&at, p, e) != 0)
            return -1;
    } while (take(&at, ','));
    if (!take(&at, ')'))
        return err_input(e, "after a parameter, a comma or ) is expected, not '%.20s'", at);
    take(&at, ';');
    skip_blanks(&at);
    return *at ? err_input(e, "after the prototype, nothing is expected, not '%.20s'", at) : 0;
}
