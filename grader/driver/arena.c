#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver/driver.h"

/* A mapping between two guards, which cannot be accessed: guard, file, guard. */
struct mapped {
    unsigned char *base;
    size_t file_bytes;
};

static struct mapped areas[PG_MAX_INPUTS + 1];
static unsigned area_count, input_count;

/* Let AddressSanitizer, if it is here, know which bytes of a mapping are nobody's. */
static void mark(const char *function, const unsigned char *from, const unsigned char *to)
{
    void (*call)(const void *, size_t) = NULL;
    *(void **)&call = dlsym(RTLD_DEFAULT, function);
    if (call && to > from)
        call(from, (size_t)(to - from));
}

static void unmap_one(struct mapped *a)
{
    if (!a->base)
        return;
    mark("__asan_unpoison_memory_region", a->base, a->base + a->file_bytes + 2 * (size_t)PG_GUARD);
    munmap(a->base, a->file_bytes + 2 * (size_t)PG_GUARD);
    *a = (struct mapped){0};
}

static int map_one(struct mapped *a, const struct pg_area *d, int fd, int prot)
{
    unmap_one(a);
    a->file_bytes = d->map_bytes;
    size_t total = d->map_bytes + 2 * (size_t)PG_GUARD;
    void *base = mmap(NULL, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED) {
        a->base = NULL;
        return -1;
    }
    a->base = base;
    /* It is populated, so that the first timed call has no page faults. */
    void *file = mmap(a->base + PG_GUARD, d->map_bytes, prot, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                      fd, (off_t)d->file_offset);
    return file == MAP_FAILED ? -1 : 0;
}

/* A layout of one matrix: what lies before and behind it. */
static void mark_around(const struct mapped *a, const struct pg_area *d)
{
    const unsigned char *begin = a->base + PG_GUARD, *first = begin + d->offset;
    if (d->offset + d->stride < d->map_bytes)
        return;
    mark("__asan_poison_memory_region", begin, first);
    mark("__asan_poison_memory_region", first + d->bytes, begin + d->map_bytes);
}

int arena_map(const struct pg_case *c, const int *fds, struct problem *p, char *text, size_t cap)
{
    int bad = 0;
    const uint32_t inputs = c->form.inputs;
    if (c->form.dims > PG_MAX_DIMS || inputs > PG_MAX_INPUTS ||
        c->form.arguments > PG_MAX_ARGUMENTS) {
        snprintf(text, cap, "a case of %u dimensions and %u inputs", c->form.dims, inputs);
        return -1;
    }
    input_count = inputs;
    area_count = inputs + 1;
    *p = (struct problem){.form = c->form, .inputs = inputs, .memory = (enum pg_memory)c->memory};
    for (unsigned i = 0; i < area_count && !bad; i++) {
        int is_output = i == inputs;
        const struct pg_area *d = is_output ? &c->out : &c->in[i];
        if (!d->map_bytes) {
            unmap_one(&areas[i]);
            continue;
        }
        bad = map_one(&areas[i], d, fds[i], is_output ? PROT_READ | PROT_WRITE : PROT_READ);
        if (bad) {
            snprintf(text, cap, "cannot map %llu bytes: %s", (unsigned long long)d->map_bytes,
                     strerror(errno));
            break;
        }
        unsigned char *first = areas[i].base + PG_GUARD + d->offset;
        p->area[i].base = areas[i].base + PG_GUARD;
        p->area[i].bytes = d->map_bytes;
        if (is_output) {
            p->out = first;
            p->out_bytes = d->bytes;
            p->out_stride = d->stride;
            mark_around(&areas[i], d);
        } else {
            p->in[i] = first;
            p->in_stride[i] = d->stride;
            p->in_bytes[i] = d->bytes;
        }
    }
    for (unsigned i = 0; i < area_count; i++)
        close(fds[i]);
    return bad ? -1 : 0;
}

void arena_locate(uint64_t address, struct pg_fault *f)
{
    f->area = -1;
    f->side = PG_ELSEWHERE;
    for (unsigned i = 0; i < area_count; i++) {
        uint64_t base = (uint64_t)(uintptr_t)areas[i].base;
        uint64_t size = areas[i].file_bytes;
        if (address < base || address >= base + size + 2 * (uint64_t)PG_GUARD)
            continue;
        f->area = (int32_t)i;
        f->side = address < base + PG_GUARD          ? PG_BEFORE
                  : address < base + PG_GUARD + size ? PG_INSIDE
                                                     : PG_AFTER;
        return;
    }
}
