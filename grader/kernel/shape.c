#include "kernel/shape.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"

/* A matrix with two such dimensions has fewer than 2^31 elements. */
enum { DIM_MOST = 46340 };

static int check_products(const char *text, struct shape s, struct err *e)
{
    const struct {
        const char *name;
        int rows, cols;
    } matrices[] = {{"A", s.m, s.k}, {"B", s.k, s.n}, {"C", s.m, s.n}};
    for (size_t i = 0; i < 3; i++)
        if ((long long)matrices[i].rows * matrices[i].cols > INT_MAX)
            return err_input(e, "'%.60s': %s would have %d x %d elements, more than 2^31 - 1", text,
                             matrices[i].name, matrices[i].rows, matrices[i].cols);
    return 0;
}

int shape_parse(const char *text, struct shape *s, struct err *e)
{
    long long v[3];
    size_t n = 0;
    char *copy = xstrdup(text);
    for (char *part = copy; part && n <= 3;) {
        char *x = strchr(part, 'x');
        if (x)
            *x = '\0';
        if (n == 3 || parse_int(part, 1, INT_MAX, &v[n], NULL) != 0) {
            free(copy);
            return err_input(e, "'%.60s' is not a size; write 1024, or 300x20x4000 for M x N x K",
                             text);
        }
        n++;
        part = x ? x + 1 : NULL;
    }
    free(copy);
    if (n == 2)
        return err_input(e, "'%.60s' is not a size; write 1024, or 300x20x4000 for M x N x K",
                         text);
    *s = n == 1 ? (struct shape){(int)v[0], (int)v[0], (int)v[0]}
                : (struct shape){(int)v[0], (int)v[1], (int)v[2]};
    return check_products(text, *s, e);
}

void shape_format(struct shape s, char out[SHAPE_TEXT])
{
    if (s.m == s.n && s.n == s.k)
        snprintf(out, SHAPE_TEXT, "%d", s.m);
    else
        snprintf(out, SHAPE_TEXT, "%dx%dx%d", s.m, s.n, s.k);
}

bool shape_equal(struct shape a, struct shape b)
{
    return a.m == b.m && a.n == b.n && a.k == b.k;
}

static int step(struct shape_rule r)
{
    return r.multiple_of > 1 ? r.multiple_of : 1;
}

bool shape_rule_equal(struct shape_rule a, struct shape_rule b)
{
    return a.square == b.square && step(a) == step(b);
}

bool shape_allowed(struct shape_rule r, struct shape s)
{
    return (!r.square || (s.m == s.n && s.n == s.k)) && s.m % step(r) == 0 && s.n % step(r) == 0 &&
           s.k % step(r) == 0;
}

static int round_up(int x, int to)
{
    const int up = (x + to - 1) / to * to;
    return up > DIM_MOST ? up - to : up;
}

struct shape shape_round_up(struct shape_rule r, struct shape s)
{
    return (struct shape){round_up(s.m, step(r)), round_up(s.n, step(r)), round_up(s.k, step(r))};
}

void shape_rule_text(struct shape_rule r, char out[SHAPE_TEXT])
{
    if (step(r) > 1)
        snprintf(out, SHAPE_TEXT, "%smultiples of %d only", r.square ? "squares of " : "", step(r));
    else
        snprintf(out, SHAPE_TEXT, "%s", r.square ? "squares only" : "");
}
