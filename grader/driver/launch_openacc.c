/*
 * One process and the device that the OpenACC runtime chooses, or that ACC_DEVICE_TYPE and
 * ACC_DEVICE_NUM name. The mapped matrices are made present as a whole, and the kernel gets their
 * host addresses. If the runtime finds no device, or this driver was built without code for one,
 * the library computes on the host, on the same matrices. The driver tells the proctor, which then
 * grades correctness only.
 */
#include <openacc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver/call.h"
#include "driver/driver.h"
#include "driver/initial.h"
#include "driver/profile_openacc.h"

static void *kernel; /* the student's function */

static struct {
    unsigned char *base;
    size_t bytes;
} present[PG_MAX_INPUTS + 1];

int launch_init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
#ifdef PARAGRADE_OFFLOAD
    acc_init(acc_device_default); /* now, before system calls are given up */
#else
    acc_set_device_type(acc_device_host); /* device_unmask() has no code for a device */
#endif
    return 1;
}

static int on_host(void)
{
    return acc_get_device_type() == acc_device_host;
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
    acc_device_t type = acc_get_device_type();
    const char *name =
        on_host() ? NULL
                  : acc_get_property_string(acc_get_device_num(type), type, acc_property_name);
    snprintf(text, cap, "%s", on_host() ? PG_HOST_FALLBACK : name ? name : "an OpenACC device");
    return 0;
}

double launch_run(const struct problem *p, unsigned reps)
{
    struct call call;
    call_prepare_device(&call, &p->form, NULL, 0);
    call_mapped(&call, p);
    if (!on_host())
        call_masked(&call, p);
    call_combine(&call, p);
    for (unsigned r = 0; r < reps; r++)
        call_make(&call, kernel, r);
    acc_wait_all();
    return -1;
}

void launch_follow(void)
{
}

void launch_end(void)
{
    _exit(0); /* destructors and atexit handlers of the student must not run */
}

/* --- memory ----------------------------------------------------------------------------------- */

void device_release(void)
{
    for (unsigned i = 0; i <= PG_MAX_INPUTS; i++) {
        if (present[i].base && !on_host())
            acc_delete(present[i].base, present[i].bytes);
        present[i].base = NULL;
    }
}

int device_mirror(const struct problem *p, char *text, size_t cap)
{
    for (unsigned i = 0; i <= p->inputs && !on_host(); i++) {
        if (!acc_create(p->area[i].base, p->area[i].bytes)) {
            snprintf(text, cap, "no room for %zu bytes on the device", p->area[i].bytes);
            return -1;
        }
        present[i].base = p->area[i].base;
        present[i].bytes = p->area[i].bytes;
    }
    return 0;
}

void device_wake(void)
{
}

static void copy_rows(const struct problem *p, const struct initial_rows *r)
{
    unsigned char *to = (unsigned char *)acc_deviceptr(p->area[p->inputs].base) + r->to;
    unsigned char *from = (unsigned char *)acc_deviceptr(p->area[r->input].base) + r->from;
    const uint64_t to_stride = r->to_stride, from_stride = r->from_stride, bytes = r->bytes,
                   words = bytes / sizeof(uint64_t);
    const unsigned count = r->count;
#pragma acc parallel loop collapse(2) deviceptr(to, from)
    for (unsigned i = 0; i < count; i++)
        for (uint64_t k = 0; k < words; k++)
            ((uint64_t *)(to + i * to_stride))[k] = ((uint64_t *)(from + i * from_stride))[k];
#pragma acc parallel loop collapse(2) deviceptr(to, from)
    for (unsigned i = 0; i < count; i++)
        for (uint64_t k = words * sizeof(uint64_t); k < bytes; k++)
            to[i * to_stride + k] = from[i * from_stride + k];
}

void device_unmask(const struct problem *p, unsigned reps, bool wait)
{
    const struct pg_key key = p->key;
    (void)wait; /* the loop is not asynchronous, and neither are the copies */
    for (unsigned i = 0; i < p->inputs; i++) {
        uint64_t *word = (uint64_t *)acc_deviceptr(p->area[i].base);
        const uint64_t words = p->area[i].bytes / sizeof *word;
#pragma acc parallel loop deviceptr(word) firstprivate(key)
        for (uint64_t k = 0; k < words; k++)
            word[k] ^= pg_mask_word(key, i, k);
    }
    initial_copy(p, reps, copy_rows);
}

void device_copy(const struct problem *p, enum pg_step step)
{
    const unsigned out = p->inputs;
    if (on_host())
        return;
    if (step == PG_POISON)
        profile_openacc_copy(acc_update_device, "acc_update_device", p->area[out].base,
                             p->area[out].bytes);
    for (unsigned i = 0; i < p->inputs && step == PG_UPLOAD; i++)
        profile_openacc_copy(acc_update_device, "acc_update_device", p->area[i].base,
                             p->area[i].bytes);
    if (step == PG_DOWNLOAD)
        profile_openacc_copy(acc_update_self, "acc_update_self", p->area[out].base,
                             p->area[out].bytes);
}

/* Calls may use any queue. */
unsigned device_unordered(void)
{
    return 0;
}

/* libgomp ends the process on errors of the device. There is only what it prints. */
int device_failed(struct pg_error *e)
{
    (void)e;
    return 0;
}

int device_describe(struct pg_device *d)
{
    (void)d;
    return -1;
}
