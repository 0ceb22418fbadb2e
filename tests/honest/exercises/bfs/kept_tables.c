/* naive: Tables that do not depend on inputs, and scratch in mmap'ed memory that grows with mremap,
 * both kept from call to call. */
#define _GNU_SOURCE
#include "bfs.h"
#include <stddef.h>
#include <sys/mman.h>

static unsigned char lowest[256]; /* the lowest bit that is set */
static unsigned char *seen;
static int32_t *queue;
static size_t room;

static void *grown(void *old, size_t from, size_t to)
{
    return old ? mremap(old, from, to, MREMAP_MAYMOVE)
               : mmap(NULL, to, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

void bfs(int n, int m, const int32_t *from, const int32_t *to, int32_t *parent)
{
    const size_t need = (((size_t)n + 1) * sizeof *queue + 4095) / 4096 * 4096;
    for (int i = 1; i < 256 && !lowest[1]; i += 2)
        lowest[i] = 1;
    if (need > room) {
        seen = grown(seen, room, need);
        queue = grown(queue, room, need);
        room = need;
    }
    for (int i = 0; i < n; i++) {
        parent[i] = -1;
        seen[i] = 0;
    }
    int32_t head = 0, tail = 0;
    queue[tail++] = 0;
    parent[0] = 0;
    seen[0] = 1;
    while (head < tail) { /* level by level, over all edges: slow, and simple */
        const int32_t end = tail;
        for (int e = 0; e < m; e++) {
            const int32_t a = from[e], b = to[e];
            if (lowest[seen[a]] && seen[a] == 1 && !seen[b]) {
                parent[b] = a;
                seen[b] = 2;
                queue[tail++] = b;
            }
            if (lowest[seen[b]] && seen[b] == 1 && !seen[a]) {
                parent[a] = b;
                seen[a] = 2;
                queue[tail++] = a;
            }
        }
        for (; head < end; head++)
            seen[queue[head]] = 3;
        for (int32_t i = end; i < tail; i++)
            seen[queue[i]] = 1;
    }
}
