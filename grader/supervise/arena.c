#include "supervise/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "kernel/outputs.h"
#include "model/assignment.h"
#include "supervise/call_form.h"

enum { PAGE = 4096, SURROUND = 4096 };

/* Bytes of outputs for a device, where a run must be long and kernels are fast. */
#define DEVICE_OUTPUTS ((size_t)96 << 20)

static const struct padding on_host = {.align = 64};
/* align: of textures in linear memory. tail: it shows whether a kernel without a bounds check
 * writes some rows too many. */
static const struct padding on_device = {.align = 512, .tail = 64 << 10};

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* Pages are touched by chunks, when a layout needs them: a unit seldom uses the whole pool, and a
 * page costs some microseconds. A chunk is as large as the smallest pool, because in a small one
 * the random order would do little. */
#define CHUNK ((size_t)MATRIX_POOL_LEAST)

static size_t chunk_end(const struct area *a, size_t chunk)
{
    return (chunk + 1) * CHUNK < a->capacity ? (chunk + 1) * CHUNK : a->capacity;
}

static size_t chunks_of(size_t bytes)
{
    return (bytes + CHUNK - 1) / CHUNK;
}

/* Touch the pages of these chunks in a random order, another one for each kind of matrix. The
 * kernel assigns physical pages in the order in which they are first touched. If they were touched
 * in order, the matrices would be contiguous in physical memory on a node that was just started,
 * and scattered on one that has run for weeks. Strides of powers of two cost more on one of these
 * nodes than on the other. With a random order they cost the same on both. */
static void scatter(struct area *a, size_t first, size_t end)
{
    const uint64_t seed = (uint64_t)a->fd + first * CHUNK;
    size_t *page = xcalloc((end - first) * (CHUNK / PAGE), sizeof *page), pages = 0;
    for (size_t c = first; c < end; c++) {
        for (size_t at = c * CHUNK; !a->touched[c] && at < chunk_end(a, c); at += PAGE) {
            size_t j = rng_at(seed, pages) % (pages + 1); /* Fisher-Yates shuffle, inside-out */
            page[pages++] = page[j];
            page[j] = at;
        }
        a->touched[c] = true;
    }
    for (size_t i = 0; i < pages; i++)
        a->map[page[i]] = 0;
    a->touched_bytes += pages * PAGE;
    free(page);
}

static void close_file(struct area *a)
{
    if (a->map)
        munmap(a->map, a->capacity);
    if (a->fd >= 0)
        close(a->fd);
    free(a->touched);
}

/* Create the file of an area, without pages. */
static int open_file(struct area *a, struct err *e)
{
    a->map = NULL;
    a->touched = xcalloc(chunks_of(a->capacity) + 1, sizeof *a->touched);
    a->touched_bytes = 0;
    a->fd = memfd_create(a->name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (a->fd < 0 || ftruncate(a->fd, (off_t)a->capacity) != 0)
        return err_system(e, "cannot create %zu bytes of shared memory: %s", a->capacity,
                          strerror(errno));
    void *map = mmap(NULL, a->capacity, PROT_READ | PROT_WRITE, MAP_SHARED, a->fd, 0);
    if (map == MAP_FAILED)
        return err_system(e, "cannot map %zu bytes: %s", a->capacity, strerror(errno));
    a->map = map;
    /* The output is sealed against shrinking as well: that would kill the reader with SIGBUS. */
    int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (a->sealed ? F_SEAL_FUTURE_WRITE : 0);
    if (fcntl(a->fd, F_ADD_SEALS, seals) != 0)
        return err_system(e, "cannot seal shared memory (Linux 5.1 or newer is needed): %s",
                          strerror(errno));
    return 0;
}

static bool touched_by_others(const struct area *a)
{
    struct stat st;
    return fstat(a->fd, &st) != 0 || (uint64_t)st.st_blocks * 512 > a->touched_bytes;
}

/* Take the pages of a layout. A student's code can enlarge its mapping and touch pages before this,
 * in an order that slows down the yardstick. Then there is a new file, whose pages are all taken at
 * once: another try gains nothing, and costs no more memory. */
static int area_use(struct area *a, const struct pg_area *d, struct err *e)
{
    size_t first = d->file_offset / CHUNK, end = chunks_of(d->file_offset + d->map_bytes);
    bool ready = true;
    for (size_t c = first; c < end; c++)
        ready = ready && a->touched[c];
    if (ready)
        return 0;
    if (touched_by_others(a)) {
        struct area fresh = *a;
        if (open_file(&fresh, e) != 0) {
            close_file(&fresh);
            return -1;
        }
        close_file(a);
        *a = fresh;
        first = 0;
        end = chunks_of(a->capacity);
    }
    scatter(a, first, end);
    return 0;
}

static int area_create(struct area *a, const char *name, size_t capacity, bool sealed,
                       struct err *e)
{
    *a = (struct area){.name = name, .capacity = round_up(capacity, PAGE), .sealed = sealed};
    return open_file(a, e);
}

static void area_destroy(struct area *a)
{
    close_file(a);
    *a = (struct area){.fd = -1};
}

/* The room of one matrix, and the spare bytes around several of them. */
struct spacing {
    size_t room, before, gap, tail;
};

/* Place `reps` matrices: at least `before` spare bytes, the matrices with `gap` bytes between them,
 * and `tail` spare bytes up to the end of the mapping. */
static struct pg_area place(struct spacing s, unsigned reps)
{
    struct pg_area d = {.stride = s.room + s.gap};
    const size_t used = (reps - 1) * d.stride + s.room + s.tail;
    d.map_bytes = round_up(used + s.before, PAGE);
    d.offset = d.map_bytes - used;
    return d;
}

static struct pg_area place_input(const struct kernel *k, struct padding p, struct shape s, int i,
                                  unsigned reps)
{
    /* An input without elements has an address, too. */
    const size_t bytes = operand_bytes(&k->in[i], s);
    const struct spacing x = {.room = round_up(bytes ? bytes : 1, p.align)};
    struct pg_area d = place(x, reps);
    d.bytes = bytes;
    return d;
}

static struct pg_area place_output(const struct kernel *k, struct padding p, struct shape s,
                                   unsigned reps)
{
    const struct spacing x = {round_up(kernel_output_bytes(k, s), p.align), SURROUND, p.align,
                              p.tail};
    return place(x, reps);
}

_Static_assert((int)SHAPE_DIMS <= (int)PG_MAX_DIMS && KERNEL_MAX_INPUTS <= PG_MAX_INPUTS,
               "a case of every kernel fits the message to the driver");

int arena_create(struct arena *a, const struct kernel *k, const struct shape *largest,
                 size_t shapes, size_t pool_bytes, struct err *e)
{
    *a = (struct arena){.kernel = k, .out = {.fd = -1}, .yard_out = {.fd = -1}};
    size_t in[KERNEL_MAX_INPUTS], out = round_up(pool_bytes, PAGE);
    a->out_pool = out;
    for (int i = 0; i < KERNEL_MAX_INPUTS; i++) {
        a->in[i].fd = a->masked[i].fd = -1;
        in[i] = out;
    }
    for (size_t j = 0; j < shapes; j++) {
        for (int i = 0; i < k->inputs; i++) {
            size_t need = place_input(k, on_device, largest[j], i, 1).map_bytes;
            in[i] = need > in[i] ? need : in[i];
        }
        size_t need = place_output(k, on_device, largest[j], 1).map_bytes;
        out = need > out ? need : out;
        a->out_pool = out;
    }
    /* It costs nothing until it is used. */
    out = out < DEVICE_OUTPUTS ? DEVICE_OUTPUTS : out;
    for (int i = 0; i < k->inputs; i++)
        if (area_create(&a->in[i], k->in[i].name, in[i], true, e) != 0 ||
            area_create(&a->masked[i], "masked", in[i], true, e) != 0)
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
}

/* With the padding that takes more room. */
static bool inputs_fit(const struct arena *a, struct shape s, unsigned sets)
{
    for (int i = 0; i < a->kernel->inputs; i++)
        if (place_input(a->kernel, on_device, s, i, sets).map_bytes > a->in[i].capacity)
            return false;
    return true;
}

/* How many sets of inputs there are for so many problems. */
static unsigned sets_of(const struct arena *a, struct shape s, unsigned reps, bool mirrored)
{
    unsigned sets = reps;
    while (mirrored && a->kernel->inputs > 1 && sets > 1 && !inputs_fit(a, s, sets))
        sets--;
    return sets;
}

/* No two problems combine the same inputs. */
static bool fits(const struct arena *a, struct shape s, unsigned reps, bool mirrored)
{
    const unsigned sets = sets_of(a, s, reps, mirrored);
    const size_t room = mirrored ? a->out.capacity : a->out_pool;
    return inputs_fit(a, s, sets) && reps <= sets * sets &&
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
        room = room && a->in[i].capacity >= 2 * a->layout.in[i].map_bytes;
    return room;
}

static struct pg_area moved(struct pg_area d, size_t capacity, unsigned placement)
{
    d.file_offset = placement % (capacity / d.map_bytes) * d.map_bytes;
    return d;
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
        a->layout.in[i] =
            moved(place_input(a->kernel, p, s, i, sets), a->in[i].capacity, a->placement);
    a->layout.out = place_output(a->kernel, p, s, reps);
    if (a->layout.out.map_bytes <= a->out_pool)
        a->layout.out = moved(a->layout.out, a->out_pool, a->placement);
    a->layout.out.bytes = kernel_output_bytes(a->kernel, s);
    a->room_sets = a->sets = sets;
    a->padding = p;
    a->where = computes;
    a->out_bytes = kernel_output_bytes(a->kernel, s);
    a->shape = s;
    for (int i = 0; i < a->kernel->inputs; i++)
        if (area_use(&a->in[i], &a->layout.in[i], e) != 0)
            return -1;
    arena_fill_around(a);
    return area_use(&a->out, &a->layout.out, e) == 0 ? area_use(&a->yard_out, &a->layout.out, e)
                                                     : -1;
}
