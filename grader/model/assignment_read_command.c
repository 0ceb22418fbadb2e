/*
 * Commands of a tier: placeholders, what needs a shell, steps, and flags, which several commands
 * have in common.
 */
#include "model/assignment_read.h"

#include <string.h>

#include "base/strbuf.h"
#include "model/assignment_fields.h"

static const char *const placeholders[] = {"{src}", "{out}", "{abi}", "{dir}", "{gencode}", NULL};

/* A command may have known placeholders only, and must have the needed ones. */
static void check_placeholders(const struct yaml_at *at, const char *text, const char *const *known,
                               const char *const *needed, const char *flags)
{
    FREED_BY(strbuf_free) struct strbuf all = STRBUF_INIT;
    for (size_t i = 0; known[i]; i++)
        strbuf_addf(&all, "%s%s", i ? " " : "", known[i]);
    strbuf_adds(&all, flags);
    for (const char *p = text; text && (p = strchr(p, '{')); p++) {
        bool ok = false;
        for (size_t i = 0; known[i]; i++)
            ok = ok || strncmp(p, known[i], strlen(known[i])) == 0;
        size_t n = strcspn(p, "} ");
        if (!ok)
            yaml_error(at, "unknown placeholder '%.*s'; known here: %s",
                       (int)(n < 40 ? n + (p[n] == '}') : 40), p, all.s);
    }
    for (size_t i = 0; text && needed[i]; i++)
        if (!strstr(text, needed[i]))
            yaml_error(at, "the command must use %s", needed[i]);
}

/* Commands are run without a shell. What only a shell understands would reach the compiler as a
 * part of a word, and the compiler's message would be hard to understand. */
static void check_no_shell(const struct yaml_at *field, const char *text)
{
    static const char *const operators[] = {"|", "||", "&", ";", ">", ">>", "<", "2>", "2>&1"};
    static const char shell_only[] = "'\"$`"; /* anywhere in a word */
    for (const char *p = text; p && *p;) {
        size_t n = strcspn(p, " ");
        const size_t at = strcspn(p, shell_only);
        if (at < n)
            yaml_error(field,
                       "there is no shell: the %c in %.*s would be passed to the program as it is; "
                       "leave it out, or write a script and call it",
                       p[at], n < 40 ? (int)n : 40, p);
        for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
            if (strlen(operators[i]) == n && strncmp(p, operators[i], n) == 0)
                yaml_error(field,
                           "there is no shell: '%s' would be passed to the program as it is; "
                           "write a script and call it",
                           operators[i]);
        p += n + (p[n] == ' ');
    }
}

/* A command on both sides of each COMPILE_STEP. */
static void check_steps(const struct yaml_at *at, const char *text)
{
    bool command = false;
    for (const char *p = text ? text : ""; *p;) {
        const size_t word = strcspn(p, " ");
        const char *found = strstr(p, COMPILE_STEP);
        const bool step = found && found < p + word;
        if (step && word != strlen(COMPILE_STEP))
            yaml_error(at, "'%.*s': there must be blanks on both sides of '%s'",
                       word < 40 ? (int)word : 40, p, COMPILE_STEP);
        if (step && !command)
            break;
        command = !step;
        p += word + (p[word] == ' ');
    }
    if (text && !command)
        yaml_error(at, "'%s' needs a command on both sides", COMPILE_STEP);
}

static void check_one_step(const struct yaml_at *at, const char *text)
{
    if (text && strstr(text, COMPILE_STEP))
        yaml_error(at, "'%s' is for compile commands only", COMPILE_STEP);
}

void check_launcher(const struct yaml_at *at, const char *text)
{
    check_placeholders(at, text, KEYS("{ranks}", "{threads}"), KEYS("{ranks}"), "");
    check_no_shell(at, text);
    check_one_step(at, text);
}

/* The text with the flags in place of their names. Takes ownership of it. */
static char *expand(const struct assignment *a, char *text)
{
    for (unsigned i = 0; text && i < a->flags_count; i++) {
        OWNED char *name = xasprintf("{%s}", a->flags[i].name), *with = text;
        text = xreplace(with, name, a->flags[i].text);
    }
    return text;
}

char *read_compile(const struct yaml_at *tier, const struct assignment *a, const char *key)
{
    struct yaml_at f = yaml_get(tier, key);
    char *text = expand(a, yaml_words(&f, NULL));
    FREED_BY(strbuf_free) struct strbuf flags = STRBUF_INIT;
    for (unsigned i = 0; i < a->flags_count; i++)
        strbuf_addf(&flags, " {%s}", a->flags[i].name);
    check_placeholders(&f, text, placeholders, KEYS("{src}", "{out}"), flags.s);
    check_no_shell(&f, text);
    check_steps(&f, text);
    return text;
}

#define FLAG_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* Letters, digits and '_'; it starts with a letter, and is no placeholder. */
static void check_flag_name(const struct yaml_at *at, const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    OWNED char *word = xasprintf("{%.60s}", name);
    if (!strchr(letters, *name) || !*name || strspn(name, FLAG_CHARS) != strlen(name))
        yaml_error(at,
                   "'%.60s': a flag's name has letters, digits and '_', and starts with a letter",
                   name);
    for (size_t i = 0; placeholders[i]; i++)
        if (strcmp(word, placeholders[i]) == 0)
            yaml_error(at, "%s means something else in commands; choose another name", word);
}

void read_flags(const struct yaml_at *at, struct assignment *a)
{
    const char *name;
    struct yaml_at value;
    for (unsigned i = 0; yaml_pair(at, i, &name, &value); i++) {
        a->flags = xrealloc_array(a->flags, i + 1, sizeof *a->flags);
        a->flags[i] = (struct flag){xstrdup(name), yaml_words(&value, "")};
        a->flags_count = i + 1;
        check_flag_name(&value, name);
        for (unsigned k = 0; k < i; k++)
            if (strcmp(a->flags[k].name, name) == 0)
                yaml_error(&value, "the key '%.60s' is given twice", name);
        check_placeholders(&value, a->flags[i].text, KEYS("{abi}", "{dir}"), KEYS(NULL), "");
        check_no_shell(&value, a->flags[i].text);
        check_one_step(&value, a->flags[i].text);
    }
}
