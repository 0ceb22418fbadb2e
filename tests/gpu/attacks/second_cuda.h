/* Another copy of CUDA's driver library, which has not read CUDA_VISIBLE_DEVICES yet. */
#include "side.h"

typedef int (*init_type)(unsigned);
typedef int (*count_type)(int *);
typedef int (*uuid_type)(char *, int);
typedef int (*create_type)(void **, unsigned, int);
typedef int (*alloc_type)(unsigned long long *, size_t);

static void look_around()
{
    int opened = 0, links = 0, count = -1, contexts = 0;
    char path[64], *visible = getenv("CUDA_VISIBLE_DEVICES");
    for (int i = 0; i < 16; i++) {
        snprintf(path, sizeof path, "/dev/nvidia%d", i);
        opened += open(path, O_RDWR) >= 0;
        snprintf(path, sizeof path, "/dev/char/195:%d", i);
        links += open(path, O_RDWR) >= 0;
    }
    say("opens %d GPU files (%d by number); ", opened, links);
    if (visible)
        visible[-1] = 'X', visible[-2] = 'X'; /* the name, so that it is not set */
    void *h = dlmopen(LM_ID_NEWLM, "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!h) {
        say("no second libcuda: %.200s", dlerror());
        return;
    }
    init_type init = (init_type)dlsym(h, "cuInit");
    count_type get_count = (count_type)dlsym(h, "cuDeviceGetCount");
    create_type create = (create_type)dlsym(h, "cuCtxCreate_v2");
    alloc_type alloc = (alloc_type)dlsym(h, "cuMemAlloc_v2");
    const int rc = init(0);
    if (rc == 0)
        get_count(&count);
    for (int d = 0; d < count; d++) {
        void *context;
        unsigned long long memory;
        contexts += create(&context, 0, d) == 0 && alloc(&memory, 1 << 20) == 0;
    }
    say("a second libcuda: cuInit %d, sees %d GPUs, has memory of %d", rc, count, contexts);
}
