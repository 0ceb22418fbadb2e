/*
 * One process and the GPUs that CUDA sees (the proctor chooses them). The driver owns the memory of
 * the first one. The kernel gets pointers into mirrors of the mapped matrices there, and a stream.
 *
 * Driver and library must share one CUDA runtime (--cudart=shared). Otherwise the driver would not
 * see errors of the library's launches.
 */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include "driver/call.h"
#include "driver/driver.h"
#include "driver/gpu_devices.h"
#include "driver/gpu_run.h"

static void *kernel;                      /* the student's function */
static void (*before_call)(cudaStream_t); /* of late_streams.c, or NULL */

int launch_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    *(void **)&before_call = dlsym(RTLD_DEFAULT, "paragrade_before_call");
    return gpu_begin();
}

bool launch_confine(void)
{
    return filter_enter(FILTER_DEVICE, NULL);
}

int launch_load(const char *library, const char *symbol, char *text, size_t cap)
{
    kernel = library_symbol(library, symbol, text, cap);
    if (!kernel)
        return -1;
    gpu_name(text, cap);
    return 0;
}

double launch_run(const struct problem *p, unsigned reps)
{
    struct call call;
    cudaStream_t stream = gpu_stream();
    const struct call_extra extra = {&stream, sizeof stream};
    call_prepare_device(&call, &p->form, &extra, 1);
    gpu_run_operands(&call, p);
    if (before_call)
        before_call(stream);
    return gpu_run(&call, kernel, p, reps);
}

void device_wake(void)
{
    gpu_wake();
}

int device_failed(struct pg_error *e)
{
    return gpu_failed(e);
}

void launch_follow(void)
{
}

void launch_end(void)
{
    _exit(0); /* destructors and atexit handlers of the student must not run */
}
