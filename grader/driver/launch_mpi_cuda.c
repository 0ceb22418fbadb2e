/*
 * An MPI rank for each GPU. The ranks of a node divide the GPUs that the proctor chose, in their
 * order; a rank sees its own one. The mirrors of the matrices are on the GPU of rank 0. A run ends
 * when the GPUs of all ranks are idle, and what failed on any of them is told by rank 0.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/gpu_devices.h"
#include "driver/gpu_memory.h"
#include "driver/gpu_run.h"
#include "driver/rank_work.h"

static int me;
static struct pg_error told; /* of another rank, at rank 0 */

/* Entry `which` of a list with commas, from the beginning again after the last one. */
static char *entry(const char *list, int which)
{
    int count = 1;
    for (const char *p = list; (p = strchr(p, ',')); p++)
        count++;
    for (which %= count; which > 0; which--)
        list = strchr(list, ',') + 1;
    return strndup(list, strcspn(list, ","));
}

/* Before the first call of CUDA. */
static void choose_gpu(MPI_Comm all)
{
    static const char variable[] = "CUDA_VISIBLE_DEVICES";
    const char *list = getenv(variable);
    MPI_Comm node;
    int here;
    MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, me, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &here);
    MPI_Comm_free(&node);
    char *own = list ? entry(list, here) : NULL;
    if (own)
        setenv(variable, own, 1);
    free(own);
    unsetenv(PG_ENV_GPUS); /* those of the node */
}

bool rank_begin(MPI_Comm all)
{
    MPI_Comm_rank(all, &me);
    choose_gpu(all);
    return gpu_begin() > 0;
}

enum filter_kind rank_filter(void)
{
    return FILTER_MPI_DEVICE;
}

void rank_name(char *text, size_t cap)
{
    gpu_name(text, cap);
}

void rank_prepare(struct call *c, const struct pg_form *f, const struct problem *p,
                  const MPI_Comm *world)
{
    static cudaStream_t stream; /* it lives as long as the call */
    stream = gpu_stream();
    const struct call_extra extra[] = {{world, sizeof *world}, {&stream, sizeof stream}};
    call_prepare_device(c, f, extra, 2);
    if (p)
        gpu_run_operands(c, p);
}

/* Inputs of a device are masked. */
uint64_t rank_value(const struct problem *p, uint32_t input, unsigned r)
{
    const unsigned set = pg_set_of(input, p->inputs, r, p->sets, p->pairing);
    const unsigned char *at = p->in[input] + set * p->in_stride[input];
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word ^ pg_mask_word(p->key, input, (uint64_t)(at - p->area[input].base) / sizeof word);
}

double rank_compute(struct call *c, void *kernel, const struct problem *p, unsigned reps)
{
    return gpu_run(c, kernel, p, reps);
}

/* In place of a barrier: the first rank on which something failed. */
void rank_end(MPI_Comm all)
{
    struct pg_error mine = {.type = PG_ERROR};
    const bool failed = gpu_failed(&mine);
    int who = failed ? me : INT_MAX, first;
    MPI_Allreduce(&who, &first, 1, MPI_INT, MPI_MIN, all);
    if (first == INT_MAX)
        return;
    MPI_Bcast(&mine, sizeof mine, MPI_BYTE, first, all);
    told = mine;
    snprintf(told.text, sizeof told.text, "rank %d: %.200s", first, mine.text);
}

void rank_wake(void)
{
    gpu_wake();
}

int device_failed(struct pg_error *e)
{
    if (!told.name[0])
        return gpu_failed(e);
    memcpy(e->name, told.name, sizeof e->name);
    memcpy(e->text, told.text, sizeof e->text);
    told.name[0] = '\0';
    return 1;
}
