#include "supervise/area.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/strbuf.h"
#include "model/matrix_pool.h"

size_t area_round(size_t n, size_t to)
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
    size_t *page = xcalloc((end - first) * (CHUNK / AREA_PAGE), sizeof *page), pages = 0;
    for (size_t c = first; c < end; c++) {
        /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): area_use() has replaced what it freed */
        for (size_t at = c * CHUNK; !a->touched[c] && at < chunk_end(a, c); at += AREA_PAGE) {
            size_t j = rng_at(seed, pages) % (pages + 1); /* Fisher-Yates shuffle, inside-out */
            page[pages++] = page[j];
            page[j] = at;
        }
        a->touched[c] = true;
    }
    for (size_t i = 0; i < pages; i++)
        a->map[page[i]] = 0;
    a->touched_bytes += pages * AREA_PAGE;
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
int area_use(struct area *a, const struct pg_area *d, struct err *e)
{
    size_t first = d->file_offset / CHUNK, end = chunks_of(d->file_offset + d->map_bytes);
    bool ready = true;
    for (size_t c = first; c < end; c++)
        ready = ready && a->touched[c];
    if (ready)
        return 0;
    if (touched_by_others(a)) {
        struct area fresh;
        if (area_create(&fresh, a->name, a->capacity, a->sealed, e) != 0) {
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

int area_create(struct area *a, const char *name, size_t capacity, bool sealed, struct err *e)
{
    *a = (struct area){.name = name, .capacity = area_round(capacity, AREA_PAGE), .sealed = sealed};
    return open_file(a, e);
}

void area_destroy(struct area *a)
{
    close_file(a);
    *a = (struct area){.fd = -1};
}

struct pg_area area_place(struct spacing s, unsigned reps)
{
    struct pg_area d = {.stride = s.room + s.gap};
    const size_t used = (reps - 1) * d.stride + s.room + s.tail;
    d.map_bytes = area_round(used + s.before, AREA_PAGE);
    d.offset = d.map_bytes - used;
    return d;
}

struct pg_area area_moved(struct pg_area d, size_t capacity, unsigned placement)
{
    d.file_offset = placement % (capacity / d.map_bytes) * d.map_bytes;
    return d;
}
