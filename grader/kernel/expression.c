#include "kernel/expression.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

struct reader {
    const char *text, *at;
    const char *const *names;
    int count;
    bool whole;
    struct expression *x;
    int depth;
    struct err *e;
};

static int refuse(const struct reader *r, const char *why)
{
    return err_input(r->e, "'%.60s': %s", r->text, why);
}

static void skip_blanks(struct reader *r)
{
    while (*r->at == ' ')
        r->at++;
}

static bool take(struct reader *r, char c)
{
    skip_blanks(r);
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static int add(struct reader *r, char what, double number, int dimension)
{
    struct expression *x = r->x;
    if (x->steps == EXPRESSION_STEPS)
        return refuse(r, "the expression is too long");
    x->step[x->steps].what = what;
    x->step[x->steps].number = number;
    x->step[x->steps++].dimension = dimension;
    return 0;
}

static int read_sum(struct reader *r);
static int read_either(struct reader *r);

static int read_number(struct reader *r)
{
    char *end;
    const double v = strtod(r->at, &end);
    const size_t n = (size_t)(end - r->at);
    if (strspn(r->at, "0123456789.") < n || !isfinite(v) || v > 9e15)
        return refuse(r, "numbers are written as digits, and are below 9 * 10^15");
    if (r->whole && v != floor(v))
        return refuse(r, "only whole numbers can be used here");
    r->at = end;
    return add(r, 'n', v, 0);
}

static int no_such_name(const struct reader *r, const char *name, size_t n)
{
    FREED_BY(strbuf_free) struct strbuf known = STRBUF_INIT;
    for (int i = 0; i < r->count; i++)
        strbuf_addf(&known, "%s%s", i ? ", " : "", r->names[i]);
    err_input(r->e, "'%.*s' is no dimension; there are: %s", (int)n, name,
              r->count ? known.s : "none");
    return -1;
}

/* log2(a), exp2(a), min(a, b), max(a, b), after the opening parenthesis. */
static int read_call(struct reader *r, char what)
{
    if (what == 'l' && r->whole)
        return refuse(r, "log2 is no whole number, so it cannot be used here");
    if (read_sum(r) != 0)
        return -1;
    if ((what == 'm' || what == 'M') && (!take(r, ',') || read_sum(r) != 0))
        return r->e->text[0]
                   ? -1
                   : refuse(r, "min and max take two numbers: min(a, b); in a list, in quotes");
    return take(r, ')') ? add(r, what, 0, 0) : refuse(r, "a ) is missing");
}

static int read_name(struct reader *r)
{
    static const struct {
        const char *name;
        char what;
    } calls[] = {{"min", 'm'}, {"max", 'M'}, {"log2", 'l'}, {"exp2", 'e'}};
    const char *name = r->at;
    size_t n = 0;
    while (isalnum((unsigned char)name[n]) || name[n] == '_')
        n++;
    r->at += n;
    for (int i = 0; i < r->count; i++)
        if (strlen(r->names[i]) == n && memcmp(r->names[i], name, n) == 0)
            return add(r, 'd', 0, i);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        if (strlen(calls[i].name) == n && memcmp(calls[i].name, name, n) == 0 && take(r, '('))
            return read_call(r, calls[i].what);
    return no_such_name(r, name, n);
}

static int read_factor(struct reader *r)
{
    int rc;
    if (++r->depth > EXPRESSION_DEPTH)
        return refuse(r, "the expression is nested too deeply");
    if (take(r, '(')) {
        rc = read_either(r);
        if (rc == 0 && !take(r, ')'))
            rc = refuse(r, "a ) is missing");
    } else if (take(r, '-')) {
        rc = read_factor(r);
        if (rc == 0)
            rc = add(r, '~', 0, 0);
    } else if (isdigit((unsigned char)*r->at)) {
        rc = read_number(r);
    } else if (isalpha((unsigned char)*r->at) || *r->at == '_') {
        rc = read_name(r);
    } else {
        rc = refuse(r, "a number or a dimension is missing");
    }
    r->depth--;
    return rc;
}

/* A chain of operators of one rank. */
static int read_chain(struct reader *r, const char *operators, int (*read)(struct reader *))
{
    int rc = read(r);
    for (skip_blanks(r); rc == 0 && *r->at && strchr(operators, *r->at); skip_blanks(r)) {
        const char what = *r->at++;
        rc = read(r);
        if (rc == 0)
            rc = add(r, what, 0, 0);
    }
    return rc;
}

static int read_product(struct reader *r)
{
    return read_chain(r, "*/%", read_factor);
}

static int read_sum(struct reader *r)
{
    return read_chain(r, "+-", read_product);
}

static int read_relation(struct reader *r)
{
    static const struct {
        const char *text;
        char what;
    } relations[] = {{"<=", '['}, {">=", ']'}, {"==", '='}, {"!=", '!'}, {"<", '<'}, {">", '>'}};
    int rc = read_sum(r);
    skip_blanks(r);
    for (size_t i = 0; rc == 0 && i < sizeof relations / sizeof relations[0]; i++) {
        const size_t n = strlen(relations[i].text);
        if (strncmp(r->at, relations[i].text, n) != 0)
            continue;
        r->at += n;
        rc = read_sum(r);
        return rc == 0 ? add(r, relations[i].what, 0, 0) : rc;
    }
    return rc;
}

/* Conditions with a word between them. */
static int read_words(struct reader *r, const char *word, char what, int (*read)(struct reader *))
{
    const size_t n = strlen(word);
    int rc = read(r);
    for (skip_blanks(r); rc == 0 && strncmp(r->at, word, n) == 0; skip_blanks(r)) {
        r->at += n;
        rc = read(r);
        if (rc == 0)
            rc = add(r, what, 0, 0);
    }
    return rc;
}

static int read_both(struct reader *r)
{
    return read_words(r, "and ", '&', read_relation);
}

static int read_either(struct reader *r)
{
    return read_words(r, "or ", '|', read_both);
}

int expression_read(const char *text, const char *const *names, int count, bool whole,
                    struct expression *x, struct err *e)
{
    struct reader r = {text, text, names, count, whole, x, 0, e};
    *x = (struct expression){0};
    e->text[0] = '\0';
    if (read_either(&r) != 0)
        return -1;
    skip_blanks(&r);
    return *r.at ? err_input(e,
                             "'%.60s': before '%.20s', one of these is expected: "
                             "+ - * / %% < <= > >= == != and or",
                             text, r.at)
                 : 0;
}

static bool holds(char what, double a, double b)
{
    switch (what) {
    case '<':
        return a < b;
    case '>':
        return a > b;
    case '[':
        return a <= b;
    case ']':
        return a >= b;
    case '=':
        return a == b;
    case '!':
        return a != b;
    case '&':
        return a != 0 && b != 0;
    default:
        return a != 0 || b != 0;
    }
}

/* Apply an operator. False: the result is no 64-bit number. */
static bool apply_integer(char what, int64_t a, int64_t b, int64_t *v)
{
    switch (what) {
    case '+':
        return !__builtin_add_overflow(a, b, v);
    case '-':
        return !__builtin_sub_overflow(a, b, v);
    case '*':
        return !__builtin_mul_overflow(a, b, v);
    case 'm':
        *v = a < b ? a : b;
        return true;
    case 'M':
        *v = a > b ? a : b;
        return true;
    case '<':
    case '>':
    case '[':
    case ']':
    case '=':
    case '!':
    case '&':
    case '|':
        *v = holds(what, (double)a, (double)b);
        return true;
    default:
        if (b == 0 || (a == INT64_MIN && b == -1))
            return false;
        *v = what == '/' ? a / b : a % b;
        return true;
    }
}

bool expression_integer(const struct expression *x, const int *dim, int64_t *value)
{
    int64_t stack[EXPRESSION_STEPS] = {0};
    int n = 0;
    for (int i = 0; i < x->steps; i++) {
        const char what = x->step[i].what;
        if (what == 'n') {
            stack[n++] = (int64_t)x->step[i].number;
        } else if (what == 'd') {
            stack[n++] = dim[x->step[i].dimension];
        } else if (what == '~') {
            if (__builtin_sub_overflow(0, stack[n - 1], &stack[n - 1]))
                return false;
        } else if (what == 'e') {
            if (stack[n - 1] < 0 || stack[n - 1] > 62)
                return false;
            stack[n - 1] = INT64_C(1) << stack[n - 1];
        } else {
            n--;
            if (!apply_integer(what, stack[n - 1], stack[n], &stack[n - 1]))
                return false;
        }
    }
    *value = stack[0];
    return n == 1;
}

static double apply_number(char what, double a, double b)
{
    return what == '+'   ? a + b
           : what == '-' ? a - b
           : what == '*' ? a * b
           : what == '/' ? a / b
           : what == '%' ? fmod(a, b)
           : what == 'm' ? fmin(a, b)
           : what == 'M' ? fmax(a, b)
                         : holds(what, a, b);
}

double expression_number(const struct expression *x, const int *dim)
{
    double stack[EXPRESSION_STEPS] = {0};
    int n = 0;
    for (int i = 0; i < x->steps; i++) {
        const char what = x->step[i].what;
        if (what == 'n')
            stack[n++] = x->step[i].number;
        else if (what == 'd')
            stack[n++] = dim[x->step[i].dimension];
        else if (what == '~')
            stack[n - 1] = -stack[n - 1];
        else if (what == 'l')
            stack[n - 1] = log2(stack[n - 1]);
        else if (what == 'e')
            stack[n - 1] = exp2(stack[n - 1]);
        else
            n--, stack[n - 1] = apply_number(what, stack[n - 1], stack[n]);
    }
    return stack[0];
}
