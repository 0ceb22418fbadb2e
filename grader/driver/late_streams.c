/* Streams are known by callbacks of CUPTI (CUDA Toolkit, CUPTI documentation, "Callback API"). */
#include "driver/late_streams.h"

#include <cuda.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if __has_include(<cupti.h>)
#include <cupti.h>
#endif

#include "abi/protocol.h"

/* Longer than a small case, and than the first launch of its kernels. The waits of several streams
 * come one after the other. */
enum { LATE_MS = 20, STREAMS_MOST = 32 };

static enum { NOTHING, GIVEN, OTHERS } late;
static CUresult (*launch_host)(CUstream, CUhostFn, void *);

static void CUDA_CB pause_here(void *unused)
{
    (void)unused;
    nanosleep(&(struct timespec){.tv_nsec = LATE_MS * 1000000L}, NULL);
}

static void delay(CUstream s)
{
    launch_host(s, pause_here, NULL);
}

#if __has_include(<cupti.h>)

static CUstream own[STREAMS_MOST];
static unsigned own_count;

static void created(CUstream s)
{
    if (own_count == STREAMS_MOST)
        return;
    own[own_count++] = s;
    delay(s);
}

static void destroyed(CUstream s)
{
    for (unsigned i = 0; i < own_count; i++)
        if (own[i] == s)
            own[i--] = own[--own_count];
}

static const CUpti_driver_api_trace_cbid asked[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamCreate, CUPTI_DRIVER_TRACE_CBID_cuStreamCreateWithPriority,
    CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy, CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy_v2};

static void CUPTIAPI on_call(void *unused, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                             const CUpti_CallbackData *c)
{
    (void)unused;
    (void)domain;
    const bool ended = c->callbackSite == CUPTI_API_EXIT;
    if (id == CUPTI_DRIVER_TRACE_CBID_cuStreamCreate && ended)
        created(*((const cuStreamCreate_params *)c->functionParams)->phStream);
    else if (id == CUPTI_DRIVER_TRACE_CBID_cuStreamCreateWithPriority && ended)
        created(*((const cuStreamCreateWithPriority_params *)c->functionParams)->phStream);
    else if (!ended) /* the parameters of both versions are the same */
        destroyed(((const cuStreamDestroy_v2_params *)c->functionParams)->hStream);
}

static bool watch_streams(void)
{
    CUpti_SubscriberHandle us;
    bool ok = cuptiSubscribe(&us, (CUpti_CallbackFunc)on_call, NULL) == CUPTI_SUCCESS;
    for (size_t i = 0; ok && i < sizeof asked / sizeof asked[0]; i++)
        ok = cuptiEnableCallback(1, us, CUPTI_CB_DOMAIN_DRIVER_API, asked[i]) == CUPTI_SUCCESS;
    return ok;
}

static void delay_own(void)
{
    for (unsigned i = 0; i < own_count; i++)
        delay(own[i]);
    delay(CU_STREAM_PER_THREAD);
}

#else

static bool watch_streams(void)
{
    return false;
}

static void delay_own(void)
{
}

#endif

void late_streams_begin(void)
{
    const char *which = getenv(PG_ENV_LATE);
    void *cuda = which ? dlopen("libcuda.so.1", RTLD_LAZY) : NULL;
    if (cuda)
        *(void **)&launch_host = dlsym(cuda, "cuLaunchHostFunc");
    if (launch_host && strcmp(which, PG_LATE_GIVEN) == 0)
        late = GIVEN;
    else if (launch_host && watch_streams())
        late = OTHERS;
    unsetenv(PG_ENV_LATE);
}

void late_streams_before_call(cudaStream_t given)
{
    if (late == GIVEN)
        delay(given);
    else if (late == OTHERS)
        delay_own();
}
