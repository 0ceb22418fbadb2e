/* outputs.h - what the function gets and gives if the exercise has a kernel file: any number of
 * outputs, of any type, some of them changed in place. main.c includes it. */
struct output {
    const char *name, *expected, *tolerance; /* files */
    int initial; /* input with what it holds before the call; -1: none */
    size_t rows, cols;
    int indices;       /* 0: a number, 1: an array, 2: rows and columns */
    char kind;         /* i, u, b, f, or c: complex */
    size_t bytes;      /* of an element */
    char place;        /* which ranks have it: r, rank 0; a, all; b, each a block of its rows */
    size_t block_rows; /* that are divided */
};

static const struct output output[OUTPUTS] = OUTPUT_TABLE;

struct problem {
    const void *in[INPUTS];
    void *out[OUTPUTS];
    const void *expected[OUTPUTS];
    const double *allowed[OUTPUTS]; /* how far each element may be from the expected one */
};

/* What this rank has of an operand: so many bytes, from this one on. */
struct part {
    int here;
    size_t at, bytes;
};

static struct part part_of(char place, size_t rows, size_t bytes)
{
    struct part p;
    const size_t row = rows ? bytes / rows : 0, r = (size_t)rank, n = (size_t)ranks;
    p.here = place != 'r' || rank == 0;
    p.at = place == 'b' ? rows * r / n * row : 0;
    p.bytes = place == 'b' ? rows * (r + 1) / n * row - p.at : bytes;
    return p;
}

static struct part part_of_output(int o)
{
    return part_of(output[o].place, output[o].block_rows,
                   output[o].rows * output[o].cols * output[o].bytes);
}

/* That this rank has. */
static size_t elements(int o)
{
    const struct part p = part_of_output(o);
    return p.here ? p.bytes / output[o].bytes : 0;
}

static size_t first_element(int o)
{
    return part_of_output(o).at / output[o].bytes;
}

static void *read_part(const char *name, struct part p, size_t size)
{
    unsigned char *all, *x;
    if (!p.here)
        return NULL;
    all = (unsigned char *)read_matrix(name, size);
    if (p.bytes == size)
        return all;
    x = (unsigned char *)new_matrix(p.bytes);
    memcpy(x, all + p.at, p.bytes);
    free(all);
    return x;
}

static struct problem read_problem(void)
{
    static const struct {
        const char *file;
        size_t bytes;
        char place;
        size_t block_rows;
    } input[INPUTS] = INPUT_FILES;
    struct problem p;
    memset(&p, 0, sizeof p);
    for (int i = 0; i < INPUTS; i++)
        p.in[i] =
            read_part(input[i].file, part_of(input[i].place, input[i].block_rows, input[i].bytes),
                      input[i].bytes);
    for (int o = 0; o < OUTPUTS; o++) {
        const size_t all = output[o].rows * output[o].cols;
        struct part part = part_of_output(o);
        if (!part.here)
            continue;
        p.out[o] = new_matrix(part.bytes);
        p.expected[o] = read_part(output[o].expected, part, all * output[o].bytes);
        part.at = first_element(o) * sizeof(double);
        part.bytes = elements(o) * sizeof(double);
        p.allowed[o] = (const double *)read_part(output[o].tolerance, part, all * sizeof(double));
    }
    return p;
}

static void free_problem(const struct problem *p)
{
    for (int i = 0; i < INPUTS; i++)
        free((void *)p->in[i]);
    for (int o = 0; o < OUTPUTS; o++) {
        free(p->out[o]);
        free((void *)p->expected[o]);
        free((void *)p->allowed[o]);
    }
}

/* One of the two parts of a complex number. */
static double part_at(const struct output *o, const void *of, size_t i, int part)
{
    const unsigned char *at = (const unsigned char *)of + i * o->bytes;
    float f[2];
    double d[2];
    if (o->bytes == sizeof f)
        return memcpy(f, at, sizeof f), (double)f[part];
    return memcpy(d, at, sizeof d), d[part];
}

static double number_at(const struct output *o, const void *of, size_t i)
{
    const unsigned char *at = (const unsigned char *)of + i * o->bytes;
    unsigned long long v = 0;
    float f;
    double d;
    if (o->kind == 'f' && o->bytes == sizeof f)
        return memcpy(&f, at, sizeof f), (double)f;
    if (o->kind == 'f')
        return memcpy(&d, at, sizeof d), d;
    memcpy(&v, at, o->bytes); /* the low bytes come first */
    if (o->kind == 'i' && v >> (8 * o->bytes - 1))
        v |= o->bytes < sizeof v ? ~0ULL << 8 * o->bytes : 0;
    return o->kind == 'i' ? (double)(long long)v : (double)v;
}

static void print_number(const struct output *o, const void *of, size_t i)
{
    if (o->kind == 'c')
        printf("%.17g%+.17gi", part_at(o, of, i, 0), part_at(o, of, i, 1));
    else
        printf("%.17g", number_at(o, of, i));
}

/* On which rank: nothing where only rank 0 has results. */
static void print_rank(const struct output *o)
{
    if (o->place != 'r')
        printf(" on rank %d", rank);
}

/* first: number of the element with which this rank begins. */
static void print_wrong(const struct output *o, size_t first, size_t i, const void *expected,
                        const void *out)
{
    printf("%s", o->name);
    if (o->indices == 1)
        printf("[%zu]", first + i);
    else if (o->indices > 1)
        printf("[%zu][%zu]", (first + i) / o->cols, (first + i) % o->cols);
    print_rank(o);
    printf(": expected ");
    print_number(o, expected, i);
    printf(", got ");
    print_number(o, out, i);
    printf("\n");
}

/* Equal as numbers, or not farther apart than it may be? */
static int is_right(const struct output *o, const void *expected, const void *out, size_t i,
                    double allowed)
{
    if (o->kind == 'c') {
        const double x = part_at(o, out, i, 0) - part_at(o, expected, i, 0),
                     y = part_at(o, out, i, 1) - part_at(o, expected, i, 1);
        return x * x + y * y <= allowed * allowed;
    }
    const double want = number_at(o, expected, i), is = number_at(o, out, i);
    return (o->kind == 'f' && want == is) ||
           (allowed > 0 && is - want <= allowed && want - is <= allowed);
}

static size_t compare_output(const struct problem *p, int number)
{
    const struct output *o = &output[number];
    const unsigned char *out = (const unsigned char *)p->out[number],
                        *expected = (const unsigned char *)p->expected[number];
    size_t wrong = 0;
    for (size_t i = 0; i < elements(number); i++) {
        const double allowed = p->allowed[number][i];
        const int equal = memcmp(out + i * o->bytes, expected + i * o->bytes, o->bytes) == 0;
        if (equal || allowed > 1e300 || is_right(o, expected, out, i, allowed))
            continue;
        if (++wrong <= SHOWN)
            print_wrong(o, first_element(number), i, expected, out);
    }
    if (wrong) {
        printf("%zu of %zu elements of %s wrong", wrong, elements(number), o->name);
        print_rank(o);
        printf("\n");
    }
    return wrong;
}

/* What is not changed in place must be assigned, whatever it holds before. */
static int run_once(struct problem *p)
{
    size_t wrong = 0;
    for (int o = 0; o < OUTPUTS; o++) {
        if (!p->out[o])
            continue;
        if (output[o].initial < 0)
            memset(p->out[o], 0x5a, elements(o) * output[o].bytes);
        else
            memcpy(p->out[o], p->in[output[o].initial], elements(o) * output[o].bytes);
    }
    launch_call(p->in, p->out);
    for (int o = 0; o < OUTPUTS; o++)
        wrong += compare_output(p, o);
#ifdef SPREAD
    return launch_any(wrong > 0);
#else
    return wrong > 0;
#endif
}
