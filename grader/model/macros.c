#include "model/macros.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/strbuf.h"
#include "base/tokens.h"

/* No person writes more. */
enum {
    WORDS_MOST = 200000,
    USES_MOST = 20000,
    ARGUMENTS_MOST = 2000, /* words */
    PARAMETERS_MOST = 64,
    DEPTH_MOST = 32,
    PASTED_MOST = 1000,  /* characters of one token */
    WORK_MOST = 2000000, /* words, also those that are dropped again */
    LONG_BODY = 24,      /* words: such a macro is a passage of its own */
};

/* A token: part of a text. */
struct word {
    const char *s;
    size_t n;
    unsigned line;
};

struct words {
    struct word *item;
    size_t count, room;
};

struct macro {
    char *name;
    bool function, busy;
    struct words parameter, body;
};

struct macros {
    struct names names;
    struct macro *item;
    size_t count, used, work;
    char **pasted; /* tokens that ## made */
    unsigned pasted_count;
};

struct macros *macros_new(void)
{
    return xcalloc(1, sizeof(struct macros));
}

void macros_free(struct macros *m)
{
    for (size_t i = 0; i < m->count; i++) {
        free(m->item[i].name);
        free(m->item[i].parameter.item);
        free(m->item[i].body.item);
    }
    texts_free(m->pasted, m->pasted_count);
    names_free(&m->names);
    free(m->item);
    free(m);
}

/* --- words ------------------------------------------------------------------------------------ */

static void add(struct words *w, struct word x)
{
    if (w->count >= WORDS_MOST)
        return;
    if (w->count == w->room) {
        w->room = 2 * w->room + 16;
        w->item = xrealloc_array(w->item, w->room, sizeof *w->item);
    }
    w->item[w->count++] = x;
}

static bool is(struct word w, const char *text)
{
    return strlen(text) == w.n && strncmp(w.s, text, w.n) == 0;
}

static bool same(struct word a, struct word b)
{
    return a.n == b.n && strncmp(a.s, b.s, a.n) == 0;
}

/* The macro of that name, or NULL. */
static struct macro *find(const struct macros *m, struct word name)
{
    if (!m->count)
        return NULL;
    OWNED char *text = xasprintf("%.*s", (int)name.n, name.s);
    const long long at = names_find(&m->names, text);
    return at == NAMES_NONE ? NULL : &m->item[at];
}

/* --- definitions ------------------------------------------------------------------------------ */

static struct macro *define(struct macros *m, const char *name)
{
    long long at = names_find(&m->names, name);
    if (at == NAMES_NONE) {
        at = (long long)m->count;
        m->item = xrealloc_array(m->item, m->count + 1, sizeof *m->item);
        m->item[m->count] = (struct macro){.name = xstrdup(name)};
        names_add(&m->names, m->item[m->count].name, m->count);
        m->count++;
    }
    struct macro *x = &m->item[at];
    free(x->parameter.item);
    free(x->body.item);
    *x = (struct macro){.name = x->name};
    return x;
}

/* The token that was just read, without the end of a joined line before it. */
static struct word word_of(const struct token *t, const struct token_reader *r)
{
    const char *s = t->start;
    for (const char *p = s; p < r->p && *p == '\\';) {
        p += 1 + strspn(p + 1, " \t\r\v\f");
        if (p < r->p && *p == '\n')
            s = ++p;
    }
    return (struct word){s, (size_t)(r->p - s), t->line};
}

/* The parameters, after '('. "..." is the name __VA_ARGS__. */
static void read_parameters(struct token_reader *r, struct token *t, struct macro *x)
{
    static const char rest[] = "__VA_ARGS__";
    bool dots = false;
    for (token_next(r, t); t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END; token_next(r, t)) {
        if (t->kind == TOKEN_WORD && x->parameter.count < PARAMETERS_MOST)
            add(&x->parameter, word_of(t, r));
        if (t->kind == TOKEN_OTHER && t->c == '.' && !dots) {
            dots = true;
            add(&x->parameter, (struct word){rest, strlen(rest), t->line});
        }
        if (t->kind == TOKEN_OTHER && t->c == ')')
            return;
    }
}

/* After #define. Reads up to the end of the line, and not further. NULL: that was no name. */
static struct macro *read_define(struct macros *m, struct token_reader *r, struct token *t)
{
    struct token_reader before = *r;
    token_next(r, t);
    struct macro *x = t->kind == TOKEN_WORD ? define(m, t->text.s) : NULL;
    if (x && r->p < r->end && *r->p == '(') {
        x->function = true;
        token_next(r, t);
        read_parameters(r, t, x);
    }
    while (t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END) {
        before = *r;
        token_next(r, t);
        if (x && t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END)
            add(&x->body, word_of(t, r));
    }
    *r = before;
    return x;
}

/* --- expansion -------------------------------------------------------------------------------- */

struct range {
    size_t from, to; /* of words, the last one not included */
};

/* The arguments after the name of a macro: w->item[at] is '('. The place of ')', or 0: there is
 * none. What is more than the macro has parameters belongs to the last one. */
static size_t find_arguments(const struct words *w, struct range in, size_t most,
                             struct range argument[PARAMETERS_MOST])
{
    size_t depth = 0, n = 0, from = in.from + 1;
    for (size_t i = in.from; i < in.to && i < in.from + ARGUMENTS_MOST; i++) {
        const bool closes = is(w->item[i], ")");
        depth += is(w->item[i], "(");
        if ((depth == 1 && closes) || (depth == 1 && is(w->item[i], ",") && n + 1 < most)) {
            if (n < most)
                argument[n++] = (struct range){from, i};
            from = i + 1;
        }
        depth -= closes;
        if (!depth)
            return i;
    }
    return 0;
}

static void expand(struct macros *m, const struct words *w, struct range r, int depth,
                   struct words *out);

/* Join the last word with another one, as ## does. */
static void paste(struct macros *m, struct words *out, struct word w)
{
    if (!out->count || out->item[out->count - 1].n + w.n > PASTED_MOST) {
        add(out, w);
        return;
    }
    struct word *last = &out->item[out->count - 1];
    char *text = xasprintf("%.*s%.*s", (int)last->n, last->s, (int)w.n, w.s);
    m->pasted = xrealloc_array(m->pasted, m->pasted_count + 1, sizeof *m->pasted);
    m->pasted[m->pasted_count++] = text;
    *last = (struct word){text, strlen(text), last->line};
}

static size_t parameter_of(const struct macro *x, struct word w)
{
    size_t i = 0;
    while (i < x->parameter.count && !same(x->parameter.item[i], w))
        i++;
    return i;
}

/* The body of a macro with its arguments, in one line. */
static void fill_in(struct macros *m, const struct macro *x, const struct words *argument,
                    unsigned line, struct words *out)
{
    bool joins = false;
    for (size_t i = 0; i < x->body.count && m->pasted_count < USES_MOST; i++) {
        struct word w = x->body.item[i];
        const bool sharp = is(w, "#") && i + 1 < x->body.count;
        if (sharp && is(x->body.item[i + 1], "#")) {
            joins = true;
            i++;
            continue;
        }
        const size_t p = parameter_of(x, w);
        const struct words one = {&w, 1, 1}, *from = p < x->parameter.count ? &argument[p] : &one;
        m->work += from->count;
        for (size_t k = 0; k < from->count; k++) {
            struct word copy = from->item[k];
            copy.line = line;
            if (joins && k == 0)
                paste(m, out, copy);
            else
                add(out, copy);
        }
        joins = false;
    }
}

/* Replace the use of a macro at r.from; returns the place of its last word. */
static size_t replace(struct macros *m, struct macro *x, const struct words *w, struct range r,
                      int depth, struct words *out)
{
    struct range place[PARAMETERS_MOST] = {{0, 0}};
    struct words argument[PARAMETERS_MOST] = {{0}}, text = {0};
    const size_t parameters = x->parameter.count;
    size_t end = r.from;
    if (x->function) {
        if (r.from + 1 < r.to && is(w->item[r.from + 1], "("))
            end = find_arguments(w, (struct range){r.from + 1, r.to}, parameters, place);
        if (end == r.from || end == 0) { /* only its name */
            add(out, w->item[r.from]);
            return r.from;
        }
    }
    m->used++;
    for (size_t i = 0; i < parameters; i++)
        expand(m, w, place[i], depth + 1, &argument[i]);
    fill_in(m, x, argument, w->item[r.from].line, &text);
    x->busy = true;
    expand(m, &text, (struct range){0, text.count}, depth + 1, out);
    x->busy = false;
    for (size_t i = 0; i < parameters; i++)
        free(argument[i].item);
    free(text.item);
    return end;
}

static void expand(struct macros *m, const struct words *w, struct range r, int depth,
                   struct words *out)
{
    for (size_t i = r.from; i < r.to && out->count < WORDS_MOST; i++) {
        const bool on = depth < DEPTH_MOST && m->work++ < WORK_MOST;
        struct macro *x = on ? find(m, w->item[i]) : NULL;
        if (x && !x->busy && x->body.count < LONG_BODY && m->used < USES_MOST)
            i = replace(m, x, w, (struct range){i, r.to}, depth, out);
        else
            add(out, w->item[i]);
    }
}

/* --- texts ------------------------------------------------------------------------------------ */

/* A line that starts with '#'. What is no definition is taken as it is; of a long macro, the body
 * stands here instead of where it is used. */
static void read_directive(struct macros *m, struct token_reader *r, struct token *t,
                           struct words *out)
{
    const struct word sharp = word_of(t, r);
    struct token_reader before = *r;
    token_next(r, t);
    if (token_is_word(t, "define")) {
        const struct macro *x = read_define(m, r, t);
        if (x && out && x->body.count >= LONG_BODY)
            expand(m, &x->body, (struct range){0, x->body.count}, 0, out);
        return;
    }
    if (out)
        add(out, sharp);
    for (; t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END; token_next(r, t)) {
        if (out)
            add(out, word_of(t, r));
        before = *r;
    }
    *r = before;
}

/* Read the definitions of a text, and with `out` also expand the rest. */
static void read_text(struct macros *m, const char *text, size_t len, struct words *out)
{
    struct token_reader r = {.p = text, .end = text + len, .line = 1};
    struct token t = {.text = STRBUF_INIT};
    struct words part = {0}; /* between two directives */
    bool line_starts = true, ends = false;
    for (size_t read = 0; !ends && read < WORDS_MOST; read++) {
        token_next(&r, &t);
        ends = t.kind == TOKEN_END;
        const bool directive = line_starts && t.kind == TOKEN_OTHER && t.c == '#';
        if ((directive || ends) && out) {
            expand(m, &part, (struct range){0, part.count}, 0, out);
            part.count = 0;
        }
        if (directive)
            read_directive(m, &r, &t, out);
        else if (!ends && t.kind != TOKEN_NEWLINE && out)
            add(&part, word_of(&t, &r));
        line_starts = t.kind == TOKEN_NEWLINE || (directive && r.p < r.end && *r.p == '\n');
    }
    free(part.item);
    strbuf_free(&t.text);
}

void macros_define(struct macros *m, const char *text, size_t len)
{
    read_text(m, text, len, NULL);
}

char *macros_expand(struct macros *m, const char *text, size_t len, size_t *out_len)
{
    struct words w = {0};
    struct strbuf sb = STRBUF_INIT;
    unsigned line = 1;
    read_text(m, text, len, &w);
    for (size_t i = 0; i < w.count; i++) {
        const struct word x = w.item[i];
        for (; line < x.line; line++)
            strbuf_add(&sb, "\n", 1);
        strbuf_add(&sb, x.s, x.n);
        strbuf_add(&sb, " ", 1);
        for (size_t k = 0; k < x.n; k++)
            line += x.s[k] == '\n';
    }
    strbuf_add(&sb, "\n", 1);
    free(w.item);
    *out_len = sb.len;
    return strbuf_detach(&sb);
}
