#include "supervise/arena.h"

#include "base/larger.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "supervise/arena_parts.h"
#include "supervise/call_form.h"

enum { SURROUND = 4096 };

static const struct padding on_host = {.align = 64};
/* align: of textures in linear memory. tail: it shows whether a kernel without a bounds check
 * writes some rows too many. */
static const struct padding on_device = {.align = 512, .tail = 64 << 10};

static struct pg_area place_input(const struct kernel *k, struct padding p, struct shape s, int i,
                                  unsigned reps)
{
    /* An input without elements has an address, too. */
    const size_t bytes = operand_bytes(&k->in[i], s);
    const struct spacing x = {.room = area_round(bytes ? bytes : 1, p.align)};
    struct pg_area d = area_place(x, reps);
    d.bytes = bytes;
    return d;
}

static struct pg_area place_output(const struct kernel *k, struct padding p, struct shape s,
                                   unsigned reps)
{
    const struct spacing x = {area_round(kernel_output_bytes(k, s), p.align), SURROUND, p.align,
                              p.tail};
    return area_place(x, reps);
}

_Static_assert((int)SHAPE_DIMS <= (int)PG_MAX_DIMS && KERNEL_MAX_INPUTS <= PG_MAX_INPUTS,
               "a case of every kernel fits the message to the driver");

int arena_create(struct arena *a, const struct kernel *k, const struct shape *largest,
                 size_t shapes, struct matrix_pool pool, struct err *e)
{
    *a = (struct arena){.kernel = k, .out = {.fd = -1}, .yard_out = {.fd = -1}};
    a->out_pool = area_round(pool.host, AREA_PAGE);
    arena_parts_init(&a->parts);
    for (int i = 0; i < KERNEL_MAX_INPUTS; i++) {
        a->in[i].fd = a->masked[i].fd = -1;
        a->in_pool[i] = a->out_pool;
    }
    for (size_t j = 0; j < shapes; j++) {
        for (int i = 0; i < k->inputs; i++)
            a->in_pool[i] =
                larger(a->in_pool[i], place_input(k, on_device, largest[j], i, 1).map_bytes);
        a->out_pool = larger(a->out_pool, place_output(k, on_device, largest[j], 1).map_bytes);
    }
    /* More than the host uses costs nothing until a device needs it. */
    const size_t out = larger(a->out_pool, pool.output);
    for (int i = 0; i < k->inputs; i++)
        if (area_create(&a->in[i], k->in[i].name, larger(a->in_pool[i], pool.input), true, e) !=
                0 ||
            area_create(&a->masked[i], "masked", a->in[i].capacity, true, e) != 0)
            goto failed;
    if (area_create(&a->out, k->out.name, out, false, e) != 0 ||
        area_create(&a->yard_out, "yardstick", out, false, e) != 0)
        goto failed;
    return 0;
failed:
    arena_destroy(a);
    return -1;
}

void arena_destroy(struct arena *a)
{
    for (int i = 0; i < KERNEL_MAX_INPUTS; i++) {
        area_destroy(&a->in[i]);
        area_destroy(&a->masked[i]);
    }
    area_destroy(&a->out);
    area_destroy(&a->yard_out);
    arena_parts_destroy(&a->parts);
}

/* Bytes of an input that a layout may use. */
static size_t input_room(const struct arena *a, int i, bool mirrored)
{
    return mirrored ? a->in[i].capacity : a->in_pool[i];
}

/* With the padding that takes more room. */
static bool inputs_fit(const struct arena *a, struct shape s, unsigned sets, bool mirrored)
{
    for (int i = 0; i < a->kernel->inputs; i++)
        if (place_input(a->kernel, on_device, s, i, sets).map_bytes > input_room(a, i, mirrored))
            return false;
    return true;
}

/* How many sets of inputs there are for so many problems. */
static unsigned sets_of(const struct arena *a, struct shape s, unsigned reps, bool mirrored)
{
    unsigned sets = reps;
    while (mirrored && kernel_inputs_mix(a->kernel) && sets > 1 && !inputs_fit(a, s, sets, true))
        sets--;
    return sets;
}

/* No two problems combine the same inputs. */
static bool fits(const struct arena *a, struct shape s, unsigned reps, bool mirrored)
{
    const unsigned sets = sets_of(a, s, reps, mirrored);
    const size_t room = mirrored ? a->out.capacity : a->out_pool;
    return inputs_fit(a, s, sets, mirrored) && reps <= sets * sets &&
           place_output(a->kernel, on_device, s, reps).map_bytes <= room;
}

unsigned arena_capacity(const struct arena *a, struct shape s, bool mirrored)
{
    unsigned low = 0, high = 1024;
    while (low < high) { /* bisect for the largest number that fits */
        unsigned mid = (low + high + 1) / 2;
        if (fits(a, s, mid, mirrored))
            low = mid;
        else
            high = mid - 1;
    }
    return low;
}

void arena_move(struct arena *a)
{
    a->placement++;
}

bool arena_has_room(const struct arena *a)
{
    bool room = a->out_pool >= 2 * a->layout.out.map_bytes;
    for (unsigned i = 0; i < a->layout.form.inputs; i++)
        room = room && a->in_pool[i] >= 2 * a->layout.in[i].map_bytes;
    return room;
}

int arena_layout(struct arena *a, struct shape s, unsigned reps, enum computes computes,
                 struct err *e)
{
    const bool mirrored = computes != ON_CORES;
    const struct padding p = mirrored ? on_device : on_host;
    char size[SHAPE_TEXT];
    shape_format(s, size);
    if (!fits(a, s, reps, mirrored))
        return err_system(e, "%u problems of size %s do not fit the arena", reps, size);
    const unsigned sets = sets_of(a, s, reps, mirrored);
    a->layout = (struct pg_case){.type = PG_CASE, .form = call_form_of(a->kernel, s)};
    for (int i = 0; i < a->kernel->inputs; i++)
        a->layout.in[i] = area_moved(place_input(a->kernel, p, s, i, sets),
                                     input_room(a, i, mirrored), a->placement);
    a->layout.out = place_output(a->kernel, p, s, reps);
    if (a->layout.out.map_bytes <= a->out_pool)
        a->layout.out = area_moved(a->layout.out, a->out_pool, a->placement);
    a->layout.out.bytes = kernel_output_bytes(a->kernel, s);
    a->room_sets = a->sets = sets;
    a->padding = p;
    a->where = computes;
    a->reps = reps;
    a->parts.ranks = 0;
    a->out_bytes = kernel_output_bytes(a->kernel, s);
    a->shape = s;
    for (int i = 0; i < a->kernel->inputs; i++)
        if (area_use(&a->in[i], &a->layout.in[i], e) != 0)
            return -1;
    arena_fill_around(a);
    return area_use(&a->out, &a->layout.out, e) == 0 ? area_use(&a->yard_out, &a->layout.out, e)
                                                     : -1;
}
