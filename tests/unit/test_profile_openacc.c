/* What the OpenACC driver makes of the events of the runtime. */

#include "unit.h"

#include <acc_prof.h>
#include <openacc.h>
#include <string.h>

#include "driver/driver.h"
#include "driver/profile_openacc.h"
#include "driver/profile_rows.h"

enum { ROWS = 200 };

/* --- in place of the runtime ---------------------------------------------------------------- */

static acc_device_t device = acc_device_nvidia;
static acc_prof_callback callback[acc_ev_last];

acc_device_t acc_get_device_type(void)
{
    return device;
}

void acc_prof_register(acc_event_t event, acc_prof_callback f, acc_register_t how)
{
    (void)how;
    callback[event] = f;
}

void acc_prof_unregister(acc_event_t event, acc_prof_callback f, acc_register_t how)
{
    (void)how;
    assert_ptr_equal(callback[event], f);
    callback[event] = NULL;
}

/* --- tests ---------------------------------------------------------------------------------- */

static struct pg_profile_row got[ROWS];
static unsigned got_count;

static void keep(const struct pg_profile_row *r)
{
    got[got_count++] = *r;
}

static void take(void)
{
    got_count = 0;
    profile_stop(keep);
}

static void happens(acc_event_t event, const char *kernel)
{
    acc_prof_info info = {.event_type = event};
    acc_event_info e = {.launch_event = {.event_type = event,
                                         .kernel_name = kernel,
                                         .num_gangs = 20,
                                         .num_workers = 4,
                                         .vector_length = 32}};
    assert_non_null(callback[event]);
    callback[event](&info, &e, NULL);
}

static void expect(enum pg_activity activity, const char *name, uint64_t count)
{
    for (unsigned i = 0; i < got_count; i++)
        if (got[i].activity == (int32_t)activity && strcmp(got[i].name, name) == 0) {
            assert_int_equal(got[i].calls, count);
            return;
        }
    fail_msg("no row %s", name);
}

TEST(without_kernel)
{
    assert_int_equal(profile_start(), 0);
    happens(acc_ev_enqueue_upload_start, NULL);
    happens(acc_ev_enqueue_upload_end, NULL);
    happens(acc_ev_compute_construct_end, NULL); /* of one that started before */
    take();
    assert_int_equal(got_count, 0);
}

static size_t copied;

static void copy(void *base, size_t bytes)
{
    (void)base;
    copied += bytes;
}

TEST(a_call)
{
    profile_openacc_copy(copy, "acc_update_device", NULL, 8); /* before the profile */
    assert_int_equal(profile_start(), 0);
    profile_openacc_copy(copy, "acc_update_device", NULL, 8);
    profile_openacc_copy(copy, "acc_update_self", NULL, 8);
    happens(acc_ev_alloc, NULL);
    happens(acc_ev_alloc, NULL);
    happens(acc_ev_enqueue_upload_start, NULL);
    happens(acc_ev_enqueue_upload_end, NULL);
    for (int i = 0; i < 3; i++) {
        happens(acc_ev_compute_construct_start, NULL);
        happens(acc_ev_enqueue_launch_start, "gemm_i32_acc$_omp_fn$0");
        happens(acc_ev_enqueue_launch_end, "gemm_i32_acc$_omp_fn$0");
        happens(acc_ev_compute_construct_end, NULL);
    }
    happens(acc_ev_compute_construct_start, NULL); /* the runtime does not name it */
    happens(acc_ev_compute_construct_end, NULL);
    take();
    profile_openacc_copy(copy, "acc_update_self", NULL, 8); /* after it */
    assert_int_equal(copied, 32);
    expect(PG_COPY, "acc_update_device", 1);
    expect(PG_COPY, "acc_update_self", 1);
    expect(PG_API, "allocate", 2);
    expect(PG_COPY, "copy host to device", 1);
    expect(PG_API, "enqueue launch", 3);
    expect(PG_KERNEL, "compute construct", 1);
    expect(PG_KERNEL, "gemm_i32_acc$_omp_fn$0", 3);
    assert_int_equal(got_count, 7);
    for (unsigned i = 0; i < got_count; i++)
        if (strstr(got[i].name, "gemm")) {
            assert_int_equal(got[i].grid_blocks, 20);
            assert_int_equal(got[i].block_threads, 128);
        }
}

/* For the driver's own kernel. */
TEST(a_pause)
{
    assert_int_equal(profile_start(), 0);
    happens(acc_ev_compute_construct_start, NULL);
    happens(acc_ev_compute_construct_end, NULL);
    profile_pause();
    for (int i = 0; i < acc_ev_last; i++)
        assert_null(callback[i]);
    profile_openacc_copy(copy, "acc_update_self", NULL, 8);
    profile_resume();
    happens(acc_ev_compute_construct_start, NULL);
    happens(acc_ev_compute_construct_end, NULL);
    take();
    expect(PG_KERNEL, "compute construct", 2);
    assert_int_equal(got_count, 1);
}

TEST(copies_outside)
{
    got_count = 0;
    profile_openacc_copy(copy, "acc_update_self", NULL, 8);
    profile_rows_send(keep);
    assert_int_equal(got_count, 0);
}

TEST(on_the_host)
{
    device = acc_device_host;
    assert_int_equal(profile_start(), -1);
    for (int i = 0; i < acc_ev_last; i++)
        assert_null(callback[i]);
}

TESTS(NULL, NULL)
