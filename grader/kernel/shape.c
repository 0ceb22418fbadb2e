#include "kernel/shape.h"

#include <stdio.h>
#include <string.h>

/* A matrix with two such dimensions has fewer than 2^31 elements. */
enum { DIM_MOST = 46340 };

void shape_set(struct shape *s, int dimension, int size)
{
    s->dim[dimension] = size;
    s->empty = size ? s->empty & ~(1U << dimension) : s->empty | 1U << dimension;
}

int shape_dims(struct shape s)
{
    int n = 0;
    while (n < SHAPE_DIMS && (s.dim[n] || s.empty >> n & 1))
        n++;
    return n;
}

struct shape shape_cube(int dims, int size)
{
    struct shape s = {0};
    for (int i = 0; i < dims; i++)
        s.dim[i] = size;
    return s;
}

static bool all_equal(struct shape s)
{
    for (int i = 1; i < shape_dims(s); i++)
        if (s.dim[i] != s.dim[0])
            return false;
    return true;
}

/* Is dimension i written? The structure may say it. */
static bool is_written(struct shape s, int i)
{
    return i >= 2 || i < structure_dims(s.structure);
}

void shape_format(struct shape s, char out[SHAPE_TEXT])
{
    const int dims = shape_dims(s);
    const bool one = all_equal(s); /* one number is enough */
    const char *between = "";
    int used = 0;
    out[0] = '\0';
    if (s.structure.family != STRUCTURE_NONE) {
        char structure[STRUCTURE_TEXT];
        structure_format(s.structure, structure);
        used = snprintf(out, SHAPE_TEXT, "%s:", structure);
    }
    for (int i = 0; i < dims; i++) {
        if (one ? i > 0 : !is_written(s, i))
            continue;
        used += snprintf(out + used, SHAPE_TEXT - (size_t)used, "%s%d", between, s.dim[i]);
        between = "x";
    }
}

bool shape_equal(struct shape a, struct shape b)
{
    return memcmp(a.dim, b.dim, sizeof a.dim) == 0 && a.empty == b.empty &&
           structure_equal(a.structure, b.structure);
}

static int step(struct shape_rule r)
{
    return r.multiple_of > 1 ? r.multiple_of : 1;
}

bool shape_rule_equal(struct shape_rule a, struct shape_rule b)
{
    return a.square == b.square && step(a) == step(b) &&
           memcmp(a.fixed, b.fixed, sizeof a.fixed) == 0;
}

bool shape_allowed(struct shape_rule r, struct shape s)
{
    int free = 0; /* size of a dimension that is not fixed */
    for (int i = 0; i < shape_dims(s); i++) {
        if (r.fixed[i] && s.dim[i] != r.fixed[i])
            return false;
        if (r.fixed[i])
            continue;
        if ((r.square && free && s.dim[i] != free) || s.dim[i] % step(r) != 0)
            return false;
        free = s.dim[i];
    }
    return true;
}

static int round_up(int x, int to)
{
    const int up = (x + to - 1) / to * to;
    if (up == x)
        return x;
    return up > DIM_MOST ? up - to : up;
}

struct shape shape_fit(struct shape_rule r, struct shape s)
{
    for (int i = 0; i < shape_dims(s); i++)
        s.dim[i] = r.fixed[i] ? r.fixed[i] : round_up(s.dim[i], step(r));
    return s;
}

/* "sizes with dimension 3 = 1", or "". */
static void fixed_text(struct shape_rule r, char out[SHAPE_TEXT])
{
    int used = 0;
    out[0] = '\0';
    for (int i = 0; i < SHAPE_DIMS; i++)
        if (r.fixed[i])
            used += snprintf(out + used, SHAPE_TEXT - (size_t)used, "%sdimension %d = %d",
                             used ? ", " : "sizes with ", i + 1, r.fixed[i]);
}

void shape_rule_text(struct shape_rule r, char out[SHAPE_TEXT])
{
    char fixed[SHAPE_TEXT];
    fixed_text(r, fixed);
    const char *comma = *fixed && (r.square || step(r) > 1) ? ", " : "";
    if (step(r) > 1)
        snprintf(out, SHAPE_TEXT, "%.68s%s%smultiples of %d only", fixed, comma,
                 r.square ? "squares of " : "", step(r));
    else
        snprintf(out, SHAPE_TEXT, "%.80s%s%s", fixed, comma, r.square ? "squares only" : "");
}
