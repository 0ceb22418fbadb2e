#include "supervise/visible_gpu.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/parse.h"
#include "base/strbuf.h"

/* GPUs of a launch, where nothing says how many there are. */
enum { UNKNOWN_MOST = 64 };

char *visible_gpu_wanted(int which)
{
    const char *all = getenv("CUDA_VISIBLE_DEVICES"), *number = getenv("ACC_DEVICE_NUM");
    int skipped = (number && atoi(number) > 0 ? atoi(number) : 0) + which;
    if (!all)
        return xasprintf("%d", skipped);
    for (; skipped > 0 && strchr(all, ','); skipped--)
        all = strchr(all, ',') + 1;
    return skipped > 0 && which > 0 ? NULL : xasprintf("%.*s", (int)strcspn(all, ","), all);
}

enum { INFORMATION_MOST = 1 << 16, UUID_MOST = 64 };

struct gpu {
    int file;
    char uuid[UUID_MOST];
};

/* "Device Minor: 	 3" and "GPU UUID: 	 GPU-..." */
static bool read_gpu(const char *proc, const char *address, struct gpu *g)
{
    OWNED char *path = xasprintf("%s/%s/information", proc, address), *text = NULL;
    size_t len;
    *g = (struct gpu){.file = -1};
    if (fs_read(path, INFORMATION_MOST, &text, &len, NULL) == 0) {
        const char *minor = strstr(text, "Device Minor:"), *uuid = strstr(text, "GPU UUID:");
        if (!minor || sscanf(minor, "Device Minor: %d", &g->file) != 1)
            g->file = -1;
        if (!uuid || sscanf(uuid, "GPU UUID: %63s", g->uuid) != 1)
            g->uuid[0] = '\0';
    }
    return g->file >= 0;
}

static bool may_be_opened(const char *dev, int file)
{
    OWNED char *path = xasprintf("%s/nvidia%d", dev, file);
    return access(path, R_OK | W_OK) == 0;
}

struct visible_gpu visible_gpu_find(const char *wanted, const char *proc, const char *dev)
{
    struct visible_gpu found = {.file = -1};
    long long number;
    const bool numbered = parse_int(wanted, 0, INT32_MAX, &number, NULL) == 0;
    OWNED_TEXTS char **address = NULL;
    size_t count;
    if (*wanted && fs_list(proc, &address, &count, NULL) == 0) {
        for (size_t i = 0; i < count && found.file < 0;
             i++) { /* sorted: in the order of addresses */
            struct gpu g;
            if (!read_gpu(proc, address[i], &g)) {
                if (numbered)
                    break; /* it may or may not count */
                continue;
            }
            if (numbered ? may_be_opened(dev, g.file) && number-- == 0
                         : strncmp(g.uuid, wanted, strlen(wanted)) == 0)
                found = (struct visible_gpu){g.uuid[0] ? xstrdup(g.uuid) : NULL, g.file};
        }
    }
    if (!found.name)
        found.name = xstrdup(wanted);
    return found;
}

/* Does the driver of GPUs say which there are? */
static bool lists_gpus(void)
{
    return access(VISIBLE_GPU_PROC, R_OK) == 0;
}

struct visible_gpus visible_gpus_find(int count)
{
    struct visible_gpus g = {.file = xcalloc((size_t)count + 1, sizeof *g.file)};
    struct strbuf names = STRBUF_INIT;
    const bool listed = lists_gpus();
    for (int i = 0; i < count || i == 0; i++) {
        OWNED char *wanted = visible_gpu_wanted(i);
        struct visible_gpu gpu = {.file = -1};
        if (wanted)
            gpu = visible_gpu_find(wanted, VISIBLE_GPU_PROC, "/dev");
        const bool is_there = wanted && (gpu.file >= 0 || !listed);
        if (is_there || i == 0) {
            strbuf_addf(&names, "%s%s", i ? "," : "", gpu.name);
            g.file[g.count++] = gpu.file;
        }
        free(gpu.name);
        if (!is_there)
            break; /* CUDA does not count what follows a name that it does not know */
    }
    g.names = strbuf_detach(&names);
    return g;
}

void visible_gpus_free(struct visible_gpus *g)
{
    free(g->names);
    free(g->file);
    *g = (struct visible_gpus){0};
}

bool visible_gpus_have(const struct visible_gpus *g, int file)
{
    for (int i = 0; i < g->count; i++)
        if (g->file[i] < 0 || g->file[i] == file)
            return true;
    return false;
}

int visible_gpus_count(void)
{
    static int most;
    if (!most) {
        FREED_BY(visible_gpus_free) struct visible_gpus all = visible_gpus_find(UNKNOWN_MOST);
        most = all.count;
    }
    return most;
}
