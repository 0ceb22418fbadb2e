#include "kernel/shape.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"

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
