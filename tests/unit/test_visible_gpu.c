/* Which device file belongs to the GPU that CUDA_VISIBLE_DEVICES names. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "supervise/visible_gpu.h"
#include "test_dir.h"

struct gpu {
    const char *address, *information;
    int file; /* that may be opened; -1: none */
};

static const struct gpu three[] = {
    {"0000:03:00.0", "Model: \t\t H100\nGPU UUID: \t GPU-aa11\nDevice Minor: \t 2\n", 2},
    {"0000:01:00.0", "Model: \t\t H100\nGPU UUID: \t GPU-bb22\nDevice Minor: \t 0\n", 0},
    {"0000:02:00.0", "Model: \t\t H100\nGPU UUID: \t GPU-bb33\nDevice Minor: \t 1\n", -1},
    {0},
};
static const struct gpu odd[] = {
    {"0000:01:00.0", "", 0},
    {"0000:02:00.0", "Device Minor: none\nGPU UUID: \t GPU-cc44\n", 1},
    {"0000:03:00.0", "GPU UUID: \t GPU-dd55\nDevice Minor: 5\n", 5},
    {0},
};

static const struct gpu nameless[] = {{"0000:01:00.0", "Device Minor: 3\n", 3}, {0}};

static void make(size_t row, const struct gpu *g)
{
    for (; g->address; g++) {
        OWNED char *information = xasprintf("%zu/proc/%s/information", row, g->address),
                   *file = xasprintf("%zu/dev/nvidia%d", row, g->file);
        put_at(information, g->information);
        if (g->file >= 0)
            put_at(file, "");
    }
}

TEST(files)
{
    static const struct {
        const struct gpu *gpus;
        const char *wanted;
        int file;
        const char *name; /* NULL: as wanted */
    } table[] = {
        {NULL, "0", -1, NULL}, /* no such driver */
        {NULL, "GPU-aa11", -1, NULL},
        {three, "", -1, NULL}, /* no GPU at all */
        {three, "-1", -1, NULL},
        {three, "0x0", -1, NULL},
        {three, "none", -1, NULL},
        {three, "MIG-aa11", -1, NULL},
        {three, "2", -1, NULL},
        {three, "0", 0, "GPU-bb22"},
        {three, "1", 2, "GPU-aa11"}, /* what may not be opened does not count */
        {three, "GPU-aa11", 2, NULL},
        {three, "GPU-bb3", 1, "GPU-bb33"}, /* the first letters are enough for CUDA */
        {odd, "0", -1, NULL},
        {odd, "GPU-dd55", 5, NULL},
        {odd, "GPU-cc44", -1, NULL},
        {nameless, "0", 3, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *dev = xasprintf("%s/%zu/dev", test_dir, i),
                   *proc = xasprintf("%s/%zu/proc", test_dir, i);
        if (table[i].gpus)
            make(i, table[i].gpus);
        const char *name = table[i].name ? table[i].name : table[i].wanted;
        struct visible_gpu got = visible_gpu_find(table[i].wanted, proc, dev);
        if (got.file != table[i].file || strcmp(got.name, name) != 0)
            fail_msg("row %zu: %d %s, not %d %s", i, got.file, got.name, table[i].file, name);
        free(got.name);
    }
}

TESTS(test_dir_make, test_dir_remove)
