#include "base/json_pool.h"

#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/strbuf.h"

enum { BLOCK = 256 << 10 /* bytes; the result of a unit with 55 timed runs needs most of it */ };

struct block {
    struct block *next;
    size_t used, room;
    max_align_t bytes[];
};

static _Thread_local struct {
    bool on;
    struct block *newest;
} pool;

static void *take(size_t n)
{
    if (!pool.on)
        return malloc(n);
    const size_t size = (n + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    struct block *b = pool.newest;
    if (!b || b->room - b->used < size) {
        const size_t room = size < BLOCK ? BLOCK : size;
        b = xrealloc_array(NULL, sizeof *b + room, 1);
        *b = (struct block){.next = pool.newest, .room = room};
        pool.newest = b;
    }
    void *p = (char *)b->bytes + b->used;
    b->used += size;
    return p;
}

static bool is_in(const struct block *b, const char *p)
{
    return p >= (const char *)b->bytes && p < (const char *)b->bytes + b->room;
}

/* What was made before the pool was begun may be released within. */
static void release(void *p)
{
    const struct block *b = pool.newest;
    while (b && !is_in(b, p))
        b = b->next;
    if (!b)
        free(p);
}

static void set_functions(void)
{
    json_set_alloc_funcs(take, release);
}

void json_pool_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_functions);
    pool.on = true;
}

void json_pool_end(void)
{
    for (struct block *b = pool.newest, *next; b; b = next) {
        next = b->next;
        free(b);
    }
    pool.newest = NULL;
    pool.on = false;
}
