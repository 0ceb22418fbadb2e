#include "model/smallest.h"

#include <limits.h>
#include <stdlib.h>

#include "base/strbuf.h"

/* Up to so many steps every size is tried. Beyond, sizes grow by an eighth; what is found there is
 * refined by bisection, and then by looking at so many sizes below. */
enum { EVERY = 256, WINDOW = 16 };

/* Two dimensions are made smaller together by so many steps at most. */
enum { TOGETHER = 64 };

/* The parameter of a structure is tried up to this. */
enum { PARAMETERS = 16 };

/* A search that goes on. */
struct search {
    const struct small_search *of;
    struct small_case *best; /* fails */
    struct small_case *asked;
    size_t count;
    bool stopped;
};

static bool same_case(const struct small_case *a, const struct small_case *b)
{
    return shape_equal(a->shape, b->shape) && launch_equal(a->launch, b->launch) &&
           a->values == b->values;
}

static bool was_asked(const struct search *s, const struct small_case *c)
{
    for (size_t i = s->count; i-- > 0;)
        if (same_case(&s->asked[i], c))
            return true;
    return false;
}

/* Is this a shape that the tier can be asked to compute? */
static bool is_possible(const struct search *s, struct shape *shape)
{
    struct err ignored = ERR_INIT;
    return kernel_complete(s->of->kernel, shape, &ignored) == 0 &&
           shape_allowed(s->of->rule, *shape) && kernel_takes(s->of->kernel, *shape, NULL) == 0;
}

/* Ask about a candidate. True: it fails, and is the best one now. */
static bool fails(struct search *s, struct small_case c)
{
    if (s->stopped || !is_possible(s, &c.shape) || same_case(&c, s->best) || was_asked(s, &c))
        return false;
    const enum small_answer answer = s->of->oracle.ask(s->of->oracle.with, &c);
    s->stopped = answer == SMALL_STOP;
    if (answer == SMALL_FAILS)
        *s->best = c;
    s->asked = xrealloc_array(s->asked, s->count + 1, sizeof *s->asked);
    s->asked[s->count++] = c;
    return answer == SMALL_FAILS;
}

/* --- dimensions ------------------------------------------------------------------------------- */

static int step_of(const struct search *s)
{
    return s->of->rule.multiple_of > 1 ? s->of->rule.multiple_of : 1;
}

/* May dimension d change? The rule of the tier or the structure of a matrix may say it. */
static bool is_free(const struct search *s, int d)
{
    return !s->of->rule.fixed[d] && (d >= 2 || d < structure_dims(s->best->shape.structure));
}

static int first_free(const struct search *s)
{
    int d = 0;
    while (d + 1 < s->of->kernel->dims && s->of->rule.fixed[d])
        d++;
    return d;
}

static struct small_case with_dim(const struct search *s, int d, int size)
{
    struct small_case c = *s->best;
    c.shape.dim[d] = size;
    return c;
}

/* The size after `size`, in the order in which sizes are tried. */
static int next_size(int size, int step)
{
    const int more = size / step < EVERY ? 1 : size / step / 8;
    return size + more * step;
}

/* Dimension d fails at the best size, and passes at `passes`, which is far below: bisect. */
static void bisect(struct search *s, int d, int passes, int step)
{
    int low = passes;
    while (!s->stopped && s->best->shape.dim[d] - low > step) {
        const int mid = low + (s->best->shape.dim[d] - low) / step / 2 * step;
        if (!fails(s, with_dim(s, d, mid)))
            low = mid;
    }
}

/* After the bisection, sizes further below may still fail. */
static bool look_below(struct search *s, int d, int passes, int step)
{
    const int from = s->best->shape.dim[d];
    for (int i = 1; i <= WINDOW && from - i * step > passes && !s->stopped; i++)
        if (fails(s, with_dim(s, d, from - i * step)))
            return true;
    return false;
}

static void lower_dim(struct search *s, int d)
{
    const int step = step_of(s);
    int passes = 0;
    for (int size = step; size < s->best->shape.dim[d] && !s->stopped;
         size = next_size(size, step)) {
        if (fails(s, with_dim(s, d, size)))
            break;
        passes = size;
    }
    if (s->best->shape.dim[d] - passes > step)
        do
            bisect(s, d, passes, step);
        while (look_below(s, d, passes, step));
}

/* No dimension above `size`. */
static struct small_case capped(const struct search *s, int size)
{
    struct small_case c = *s->best;
    for (int d = 0; d < s->of->kernel->dims; d++)
        if (c.shape.dim[d] > size && is_free(s, d))
            c.shape.dim[d] = size;
    return c;
}

/* Sizes around the usual widths of vectors and blocks, for a first big step; of squares, every
 * size, since they can change in no other way. */
static void lower_all(struct search *s)
{
    static const int sizes[] = {1,   2,   3,   4,   5,   7,   8,   9,   11,   13,  15,  16,
                                17,  23,  31,  32,  33,  48,  63,  64,  65,   96,  127, 128,
                                129, 192, 255, 256, 257, 384, 512, 513, 1024, 1025};
    const int step = step_of(s);
    if (s->of->rule.square) {
        const int now = s->best->shape.dim[first_free(s)];
        for (int size = step; size < now && !s->stopped; size = next_size(size, step))
            if (fails(s, capped(s, size)))
                return;
        return;
    }
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0] && !s->stopped; i++)
        if (fails(s, capped(s, sizes[i] * step)))
            return;
}

/* Two dimensions that must differ by as much as they do, or be equal. */
static void lower_pair(struct search *s, int d, int e)
{
    const int step = step_of(s), *dim = s->best->shape.dim;
    const int room = (dim[d] < dim[e] ? dim[d] : dim[e]) / step - 1;
    if (dim[d] <= step || dim[e] <= step)
        return;
    for (int left = 0; left < room && left < TOGETHER && !s->stopped; left++) {
        struct small_case c = *s->best;
        c.shape.dim[d] -= (room - left) * step;
        c.shape.dim[e] -= (room - left) * step;
        if (fails(s, c))
            return;
    }
}

static void lower_dims(struct search *s)
{
    lower_all(s);
    if (s->of->rule.square)
        return;
    for (int d = 0; d < s->of->kernel->dims; d++)
        if (is_free(s, d))
            lower_dim(s, d);
    for (int d = 0; d < s->of->kernel->dims; d++)
        for (int e = d + 1; e < s->of->kernel->dims; e++)
            if (is_free(s, d) && is_free(s, e))
                lower_pair(s, d, e);
}

/* --- structure, launch, values ---------------------------------------------------------------- */

/* A uniform structure with few entries per row is the simplest one; then fewer of the same. */
static void simplify_structure(struct search *s)
{
    const struct structure now = s->best->shape.structure;
    if (now.family == STRUCTURE_NONE || now.family == STRUCTURE_FILE)
        return;
    const struct structure simple = {.family = STRUCTURE_UNIFORM, .parameter = 1};
    struct small_case c = *s->best;
    c.shape.structure = simple;
    if (fails(s, c))
        return;
    for (int p = 1; p < now.parameter && p <= PARAMETERS && !s->stopped; p++) {
        c.shape.structure = now;
        c.shape.structure.parameter = p;
        if (fails(s, c))
            return;
    }
}

/* Fewer workers first. */
static void lower_launch(struct search *s)
{
    const struct launch now = s->best->launch;
    for (int workers = 1; workers < launch_workers(now) && !s->stopped; workers++)
        for (int ranks = 1; ranks <= now.ranks && ranks <= workers; ranks++) {
            if (workers % ranks != 0 || workers / ranks > now.threads)
                continue;
            struct small_case c = *s->best;
            c.launch = launch_here(ranks, workers / ranks);
            if (fails(s, c))
                return;
        }
    for (int gpus = 2; gpus < now.gpus && !s->stopped; gpus++) {
        struct small_case c = *s->best;
        c.launch.gpus = gpus;
        if (fails(s, c))
            return;
    }
}

static void simplify_values(struct search *s)
{
    const struct kernel *k = s->of->kernel;
    const int now = kernel_values_rank(k, s->best->values);
    for (int rank = 0; rank < now && !s->stopped; rank++)
        for (int i = 0; i < k->values_count; i++) {
            struct small_case c = *s->best;
            c.values = k->values[i];
            if (kernel_values_rank(k, c.values) == rank && fails(s, c))
                return;
        }
}

bool smallest_find(const struct small_search *of, struct small_case *c)
{
    struct search s = {.of = of, .best = c};
    struct small_case before;
    do {
        before = *c;
        lower_launch(&s); /* first: with fewer workers, everything else takes less time */
        lower_dims(&s);
        simplify_structure(&s);
        simplify_values(&s);
    } while (!s.stopped && !same_case(&before, c));
    free(s.asked);
    return !s.stopped;
}
