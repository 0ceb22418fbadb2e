/* The boundary of trust, as far as memory goes. */
#include "unit.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/pairs.h"
#include "kernel/part.h"
#include "supervise/arena_parts.h"

static struct arena a;
static const struct shape shape = {.dim = {5, 7, 3}};
static const size_t BYTES = sizeof(int32_t) * 5 * 7; /* of one output */

static struct matrix_pool same(uint64_t bytes)
{
    return (struct matrix_pool){bytes, bytes, bytes};
}

static int setup(void **arg)
{
    const struct kernel *k = kernel_find("gemm", TYPE_I32);
    return arena_create(&a, k, &shape, 1, same(65536 + (64 << 10)), NULL);
}

static int teardown(void **arg)
{
    arena_destroy(&a);
    return 0;
}

/* What a driver could try with the descriptor of an input. */
TEST(inputs_are_sealed)
{
    for (int i = 0; i < 2; i++) {
        void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, a.in[i].fd, 0);
        assert_ptr_equal(p, MAP_FAILED);
        p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, a.in[i].fd, 0);
        assert_ptr_not_equal(p, MAP_FAILED);
        assert_int_equal(mprotect(p, 4096, PROT_READ | PROT_WRITE), -1);
        munmap(p, 4096);
        assert_int_equal(pwrite(a.in[i].fd, "x", 1, 0), -1);
        assert_int_equal(errno, EPERM);
        assert_int_equal(ftruncate(a.in[i].fd, 0), -1);
    }
}

TEST(output_keeps_its_size)
{
    assert_int_equal(ftruncate(a.out.fd, 0), -1);
    assert_int_equal(ftruncate(a.out.fd, 1 << 20), -1);
}

TEST(layout)
{
    assert_int_equal(arena_layout(&a, shape, 4, ON_CORES, NULL), 0);
    const struct pg_area *o = &a.layout.out;
    assert_int_equal(o->map_bytes % 4096, 0);
    assert_int_equal(o->offset % 64, 0);
    assert_int_equal(o->stride % 64, 0);
    assert_true(o->offset >= 4096);
    /* flush with the end, but for the rounding to 64 bytes */
    size_t room = (BYTES + 63) / 64 * 64;
    assert_int_equal(o->offset + 3 * o->stride + room, o->map_bytes);
    assert_true(arena_capacity(&a, shape, false) >= 50);
    assert_int_equal(arena_layout(&a, shape, 1u << 30, ON_CORES, NULL), -1);
}

TEST(surround)
{
    const uint64_t poison = UINT64_C(0x1122334455667788);
    unsigned char *first, *second;
    struct stray where;
    assert_int_equal(arena_layout(&a, shape, 2, ON_DEVICE, NULL), 0);
    arena_poison(&a, poison, 2);
    first = (unsigned char *)(uintptr_t)arena_output(&a, 0);
    second = (unsigned char *)(uintptr_t)arena_output(&a, 1);
    assert_true(arena_surround_intact(&a, poison, 2, &where));
    memset(first, 0, BYTES);
    memset(second, 0, BYTES);
    assert_true(arena_surround_intact(&a, poison, 2, &where));
    unsigned char *const places[] = {first - 1, first - 4096, first + BYTES, second - 64,
                                     second + BYTES + 3};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        *places[i] ^= 0xff;
        if (arena_surround_intact(&a, poison, 2, &where))
            fail_msg("place %zu was not noticed", i);
        *places[i] ^= 0xff;
    }
    assert_true(arena_surround_intact(&a, poison, 2, &where));
}

/* A kernel that reads past an input gets the same values in every process, whatever lay there. */
TEST(around_inputs)
{
    static const struct shape small = {.dim = {5, 7, 2}};
    const struct test_case c = {.shape = shape, .values = VALUES_FULL};
    for (int zeros = 0; zeros < 2; zeros++) {
        a.zeros_around = zeros;
        assert_int_equal(arena_layout(&a, shape, 4, ON_CORES, NULL), 0);
        arena_generate(&a, &c, 1, 4);
        assert_int_equal(arena_layout(&a, small, 2, ON_CORES, NULL), 0); /* A: 40 bytes */
        arena_generate(&a, &(struct test_case){.shape = small, .values = VALUES_FULL}, 1, 2);
        const int32_t *second = arena_input(&a, 0, 1), *first = arena_input(&a, 0, 0);
        for (int i = 10; i < 16; i++) {
            assert_int_equal(first[i], zeros ? 0 : 5003);
            assert_int_equal(second[i], zeros ? 0 : 5003);
        }
        assert_int_equal(first[-1], zeros ? 0 : 5003);
    }
    a.zeros_around = false;
}

static unsigned set_of_b(unsigned problem, unsigned sets, uint32_t pairing)
{
    assert_int_equal(pg_set_of(0, 2, problem, sets, pairing), problem % sets);
    return pg_set_of(1, 2, problem, sets, pairing);
}

/* On a device each problem combines other sets, every set is used as often, and which ones belong
 * together does not follow from the problems before. */
TEST(pairs)
{
    enum { SETS = 30 };
    for (unsigned sets = 1; sets <= SETS; sets++)
        for (uint32_t pairing = 0; pairing < 20; pairing++) {
            unsigned char seen[SETS][SETS] = {{0}}, in_turn[SETS] = {0};
            for (unsigned r = 0; r < sets * sets; r++) {
                const unsigned b = set_of_b(r, sets, pairing);
                assert_true(b < sets);
                assert_int_equal(seen[r % sets][b]++, 0);
                if (r < sets)
                    assert_int_equal(in_turn[b]++, 0);
            }
        }
    unsigned guessed = 0, all = 0;
    for (uint32_t pairing = 1; pairing <= 200; pairing++)
        for (unsigned r = 1; r < 50; r++, all++)
            guessed += set_of_b(r, 8, pairing) == (set_of_b(r - 1, 8, pairing) + 1) % 8;
    assert_true(guessed < all / 5);
    assert_int_equal(pg_set_of(0, 1, 11, 8, 5), 3);  /* there is no other input */
    assert_int_equal(pg_set_of(1, 2, 11, 0, 0), 11); /* on the host */
}

/* What is on its way to a device says nothing without the key, and every generation has its own. */
TEST(masks)
{
    const struct test_case c = {.shape = shape, .values = VALUES_FULL};
    uint64_t plain[8] = {0}, first[7], second[7]; /* A: 5 x 3, 60 bytes */
    assert_int_equal(arena_layout(&a, shape, 1, ON_DEVICE, NULL), 0);
    const size_t at = a.layout.in[0].offset / sizeof *plain;
    const uint64_t *masked = (const uint64_t *)(const void *)(a.masked[0].map) + at;
    arena_generate(&a, &c, 1, 1);
    memcpy(plain, arena_input(&a, 0, 0), 60);
    arena_mask(&a);
    assert_memory_equal(arena_input(&a, 0, 0), plain, 60);
    memcpy(first, masked, sizeof first);
    for (size_t i = 0; i < 7; i++) {
        assert_int_not_equal(first[i], plain[i]);
        assert_int_equal(first[i] ^ pg_mask_word(a.key, 0, at + i), plain[i]);
    }
    arena_mask(&a); /* is masked already */
    assert_memory_equal(masked, first, sizeof first);
    arena_generate(&a, &c, 1, 1);
    arena_mask(&a); /* by another key */
    memcpy(second, masked, sizeof second);
    assert_memory_not_equal(second, first, sizeof first);
}

TEST(matrices_on_a_device_suit_textures)
{
    assert_int_equal(arena_layout(&a, shape, 3, ON_DEVICE, NULL), 0);
    const struct pg_area *const areas[] = {&a.layout.in[0], &a.layout.in[1], &a.layout.out};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        assert_int_equal(areas[i]->offset % 512, 0);
        assert_int_equal(areas[i]->stride % 512, 0);
    }
}

/* A sparse matrix without entries. The problem can be laid out, and a driver can map all inputs. */
TEST(empty_inputs)
{
    const struct kernel *k = kernel_find("spmm_csr", TYPE_F64);
    struct arena empty;
    struct shape s;
    assert_int_equal(kernel_shape(k, "empty:3x2x1", NULL, &s, NULL), 0);
    assert_int_equal(arena_create(&empty, k, &s, 1, same(1 << 16), NULL), 0);
    assert_in_range(arena_capacity(&empty, s, false), 1, 1024);
    assert_int_equal(arena_layout(&empty, s, 2, ON_CORES, NULL), 0);
    assert_int_equal(empty.layout.form.dims, 4);
    assert_int_equal(empty.layout.form.dim[3], 0); /* nnz */
    for (unsigned i = 0; i < empty.layout.form.inputs; i++)
        assert_true(empty.layout.in[i].map_bytes > 0);
    arena_destroy(&empty);
}

/* Initial values of what is changed in place are inputs: before the clock runs, a device has them
 * only with the mask. */
TEST(initial_values)
{
    struct kernel k = *kernel_find("gemm", TYPE_I32);
    const uint64_t poison = UINT64_C(0x1122334455667788);
    const struct test_case c = {.shape = {.dim = {6, 6, 6}}, .values = VALUES_FULL};
    struct arena in_place;
    k.out.initial = 2;
    assert_int_equal(arena_create(&in_place, &k, &c.shape, 1, same(1 << 16), NULL), 0);
    static const enum computes where[] = {ON_CORES, ON_DEVICE, FELL_BACK};
    for (size_t i = 0; i < sizeof where / sizeof where[0]; i++) {
        const bool masked = where[i] == ON_DEVICE;
        assert_int_equal(arena_layout(&in_place, c.shape, 1, where[i], NULL), 0);
        assert_int_equal(in_place.layout.form.initial[0], 2);
        arena_generate(&in_place, &c, 1, 1);
        arena_poison(&in_place, poison, 1);
        const bool there = memcmp(arena_output(&in_place, 0), arena_input(&in_place, 1, 0),
                                  sizeof(int32_t) * 36) == 0;
        assert_int_equal(there, !masked);
        assert_int_equal(memcmp(arena_output(&in_place, 0), &poison, sizeof poison) == 0, masked);
    }
    arena_destroy(&in_place);
}

static struct stat status(const struct area *area)
{
    struct stat st;
    assert_int_equal(fstat(area->fd, &st), 0);
    return st;
}

/* Lay out one problem at about this place of the areas. */
static void lay_out_at(struct arena *pool, size_t place)
{
    assert_int_equal(arena_layout(pool, shape, 1, ON_CORES, NULL), 0);
    pool->placement = (unsigned)(place / pool->layout.in[0].map_bytes);
    assert_int_equal(arena_layout(pool, shape, 1, ON_CORES, NULL), 0);
}

/* Pages are taken when they are needed. Nobody else can choose them: not by an earlier mapping that
 * was made larger. */
TEST(pages_of_a_pool)
{
    const size_t chunk = MATRIX_POOL_LEAST;
    struct arena pool;
    assert_int_equal(
        arena_create(&pool, kernel_find("gemm", TYPE_I32), &shape, 1, same(4 * chunk), NULL), 0);
    assert_int_equal(status(&pool.in[0]).st_blocks, 0);
    lay_out_at(&pool, 0);
    assert_int_equal(status(&pool.in[0]).st_blocks * 512, chunk);
    struct test_case c = {.shape = shape, .values = VALUES_FULL};
    arena_generate(&pool, &c, 1, 1);
    const int32_t value = *(const int32_t *)arena_input(&pool, 0, 0);
    lay_out_at(&pool, 2 * chunk + 4096);
    assert_int_equal(status(&pool.in[0]).st_blocks * 512, 2 * chunk);
    lay_out_at(&pool, 0);
    assert_int_equal(*(const int32_t *)arena_input(&pool, 0, 0), value);

    const ino_t before = status(&pool.in[0]).st_ino, other = status(&pool.in[1]).st_ino;
    const volatile char *p = mmap(NULL, 4 * chunk, PROT_READ, MAP_SHARED, pool.in[0].fd, 0);
    assert_ptr_not_equal(p, MAP_FAILED);
    assert_int_equal(p[3 * chunk + 8192], 0);
    lay_out_at(&pool, 2 * chunk + 4096); /* has its pages */
    assert_int_equal(status(&pool.in[0]).st_ino, before);
    lay_out_at(&pool, 3 * chunk + 4096);
    assert_int_not_equal(status(&pool.in[0]).st_ino, before);
    assert_int_equal(status(&pool.in[0]).st_blocks * 512, pool.in[0].capacity);
    assert_int_equal(status(&pool.in[1]).st_ino, other);
    assert_int_equal(status(&pool.in[1]).st_blocks * 512, 3 * chunk);
    munmap((void *)(uintptr_t)p, 4 * chunk);
    arena_destroy(&pool);
}

/* Ranks have blocks of C, with rows 0, 1 and 2: in one piece they are the output, with the poison
 * that an output in one piece has. */
TEST(blocks)
{
    struct kernel k = *kernel_find("gemm", TYPE_I32);
    struct extents rows = {.count = 2};
    const char *const dims[] = {"M", "N", "K"};
    struct err e = ERR_INIT;
    const uint64_t poison = UINT64_C(0x1122334455667788);
    struct arena some;
    struct stray s;
    struct test_case c = {.shape = {.dim = {5, 3, 2}}, .values = VALUES_FULL};
    assert_int_equal(expression_read("M", dims, 3, true, &rows.of[0], &e), 0);
    assert_int_equal(expression_read("N", dims, 3, true, &rows.of[1], &e), 0);
    k.out.size = &rows;
    k.out.on = ON_BLOCK;
    k.in[1].on = ON_ALL;
    assert_true(kernel_is_spread(&k));
    assert_int_equal(operand_part(&k.out, c.shape, 1, 4).at, 1 * 12);
    assert_int_equal(operand_part(&k.out, c.shape, 3, 4).bytes, 2 * 12);
    assert_int_equal(operand_part(&k.out, c.shape, 0, 9).bytes, 0);
    assert_false(operand_part(&k.in[0], c.shape, 1, 4).here);
    assert_int_equal(arena_create(&some, &k, &c.shape, 1, same(1 << 16), NULL), 0);
    assert_int_equal(arena_layout(&some, c.shape, 2, ON_CORES, NULL), 0);
    assert_int_equal(arena_divide(&some, 4, NULL), 0);
    assert_int_equal(some.parts.of[1].in[0].map_bytes, 0);
    assert_int_equal(some.parts.of[1].in[1].map_bytes, some.layout.in[1].map_bytes);
    arena_poison(&some, poison, 2);
    unsigned char before[60], *block = (unsigned char *)(uintptr_t)arena_output(&some, 1);
    memcpy(before, block, sizeof before);
    memset(block, 0, sizeof before);
    arena_gather(&some, 2);
    assert_memory_equal(block, before, sizeof before);
    assert_true(arena_surround_intact(&some, poison, 2, &s));
    for (int r = 0; r < 4; r++) {
        const struct pg_area *d = &some.parts.of[r].out;
        unsigned char *at = some.parts.file[r].out.map + d->file_offset + d->offset + d->stride;
        memset(at, r, d->bytes);
        assert_true(arena_surround_intact(&some, poison, 2, &s));
        at[d->bytes] ^= 1;
        assert_false(arena_surround_intact(&some, poison, 2, &s));
        assert_int_equal(s.rank, r);
        assert_int_equal(s.where, 0);
        at[d->bytes] ^= 1;
        at[-1] ^= 1;
        assert_false(arena_surround_intact(&some, poison, 2, &s));
        assert_int_equal(s.where, -1);
        at[-1] ^= 1;
    }
    arena_gather(&some, 2);
    for (int i = 0; i < 60; i++)
        assert_int_equal(block[i], i < 12 ? 0 : i < 24 ? 1 : i < 36 ? 2 : 3);
    arena_destroy(&some);
}

TESTS(setup, teardown)
