/* Files that only look like libraries first; then what compilers make of loops. */
#include "unit.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fsio.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "build/vectors.h"

#include "built_library.h"

enum { FILE_MOST = 1 << 20, ROUNDS = 60, MS = 1000000 };

static const char product[] = "void f(int n, const int *a, const int *b, int *c)\n"
                              "{\n"
                              "  for (int i = 0; i < n; i++) c[i] += a[i] * b[i];\n"
                              "}\n";

TEST(no_libraries)
{
    struct vectors v;
    vectors_find("/nonexistent", &v);
    assert_false(v.known);
    vectors_find(test_dir, &v);
    assert_false(v.known);
    assert_int_equal(fs_write_atomic(library, "", 0, NULL), 0);
    vectors_find(library, &v);
    assert_false(v.known);
    char page[4096] = "#!/bin/sh\n";
    assert_int_equal(fs_write_atomic(library, page, sizeof page, NULL), 0);
    vectors_find(library, &v);
    assert_false(v.known);
    unlink(library);
    assert_int_equal(symlink("/bin/true", library), 0);
    vectors_find(library, &v);
    assert_false(v.known);
    unlink(library);
}

/* Headers that lead out of the file, or anywhere: nothing is known, nothing is read there. */
TEST(damaged)
{
    OWNED char *data = NULL;
    size_t n;
    struct vectors v;
    build("-O3 -mavx2", product);
    assert_int_equal(fs_read(library, FILE_MOST, &data, &n, NULL), 0);
    static const uint64_t odd[] = {0, 1, UINT64_MAX, UINT64_MAX - 63, INT64_MAX, (uint64_t)1 << 40};
    Elf64_Ehdr h, as_it_was;
    memcpy(&as_it_was, data, sizeof as_it_was);
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        for (unsigned k = 0; k < as_it_was.e_phnum; k++) {
            Elf64_Phdr p, old;
            size_t at = as_it_was.e_phoff + k * sizeof p;
            memcpy(&old, data + at, sizeof old);
            p = old;
            p.p_offset = odd[i];
            p.p_filesz = odd[sizeof odd / sizeof odd[0] - 1 - i];
            memcpy(data + at, &p, sizeof p);
            assert_int_equal(fs_write_atomic(library, data, n, NULL), 0);
            vectors_find(library, &v);
            memcpy(data + at, &old, sizeof old);
        }
        h = as_it_was;
        h.e_phoff = odd[i];
        memcpy(data, &h, sizeof h);
        assert_int_equal(fs_write_atomic(library, data, n, NULL), 0);
        vectors_find(library, &v);
        assert_false(v.known);
        memcpy(data, &as_it_was, sizeof as_it_was);
    }
    for (int i = 0; i < ROUNDS; i++) {
        size_t at = (size_t)(rng_mix64((uint64_t)i) % (i % 2 ? n : sizeof h + 600));
        char old = data[at];
        data[at] = (char)(old ^ (1 << i % 8));
        assert_int_equal(fs_write_atomic(library, data, i % 3 ? n : at + 1, NULL), 0);
        vectors_find(library, &v);
        assert_true(v.multiply.count <= VECTORS_MOST && v.add.count <= VECTORS_MOST);
        data[at] = old;
    }
}

/* A file full of code that is none: it ends, and soon. */
TEST(large)
{
    struct vectors v;
    build("-O1", "__asm__(\".section .text\\n.rept 3000000\\n.byte 6\\n.endr\");");
    uint64_t start = clock_mono_ns();
    vectors_find(library, &v);
    assert_true(clock_mono_ns() - start < UINT64_C(15000) * MS);
    build("-O1", "__asm__(\".section .text\\n.rept 5000000\\nnop\\n.endr\");");
    vectors_find(library, &v);
    assert_false(v.known); /* more than is looked at */
}

static bool has(const struct vector_list *l, const char *name, int bits)
{
    for (unsigned i = 0; i < l->count; i++)
        if (l->item[i].bits == bits && l->item[i].count && strcmp(l->item[i].name, name) == 0)
            return true;
    return false;
}

struct row {
    const char *flags, *source, *name; /* NULL: there is none */
    int bits;
};

/* The library of each row has the instruction in one list, or the list is empty. */
static void expect(const struct row *row, size_t n, bool multiplications)
{
    for (size_t i = 0; i < n; i++) {
        struct vectors v;
        build(row[i].flags, row[i].source);
        vectors_find(library, &v);
        const struct vector_list *l = multiplications ? &v.multiply : &v.add;
        if (!v.known || (row[i].name ? !has(l, row[i].name, row[i].bits) : l->count > 0))
            fail_msg("%s %s: known %d, %u, %s", row[i].flags, row[i].name ? row[i].name : "none",
                     v.known, l->count, l->item[0].name);
    }
}

#define EXPECT(rows, multiplications)                                                              \
    expect(rows, sizeof(rows) / sizeof((rows)[0]), multiplications)
#define CODE(text) "void f(void) { __asm__(\"" text "\"); }\n"

TEST(multiplications)
{
    static const struct row rows[] = {
        {"-O3 -fno-tree-vectorize", product, NULL, 0},
        {"-O0", product, NULL, 0},
        /* Additions and moves alone are no product. */
        {"-O3 -mavx2", "void f(int *a) { for (int i = 0; i < 999; i++) a[i] += 3; }\n", NULL, 0},
        /* One number at a time, in a vector register. */
        {"-O1 -mfma", "double f(double a, double b, double c) { return a * b + c; }\n", NULL, 0},
        /* Bytes that begin like instructions which Capstone may not know. */
        {"-O1", CODE(".byte 0xc4, 0xe2, 0x78, 0x5c, 0xd1"), NULL, 0},
        {"-O1", CODE(".byte 0x62, 0xf2, 0x6d, 0x48, 0x54, 0xd0"), NULL, 0},
        {"-O3", product, "pmuludq", 128}, /* as SSE2 has to do it */
        {"-O3 -msse4.1", product, "pmulld", 128},
        {"-O3 -mavx2", product, "vpmulld", 256},
        {"-O3 -march=skylake-avx512 -mprefer-vector-width=512", product, "vpmulld", 512},
        {"-O1",
         "void __attribute__((section(\"odd\"))) f(void) { __asm__(\"pmulld %xmm1, %xmm2\"); }",
         "pmulld", 128},
        /* Sums of products */
        {"-O1", CODE("dpps $1, %xmm1, %xmm2"), "dpps", 128},
        {"-O1", CODE("vdpps $1, %ymm1, %ymm2, %ymm3"), "vdpps", 256},
        {"-O1", CODE("dppd $1, %xmm1, %xmm2"), "dppd", 128},
        {"-O1", CODE("vdpbf16ps %zmm0, %zmm1, %zmm2"), "vdpbf16ps", 512},
        {"-O1", CODE("vpdpbusd %zmm0, %zmm1, %zmm2"), "vpdpbusd", 512},
        {"-O1", CODE("{vex} vpdpwssd %ymm0, %ymm1, %ymm2"), "vpdpwssd", 256},
        {"-O1", CODE("tdpbssd %tmm0, %tmm1, %tmm2"), "tdpbssd", TILE_BITS},
        {"-O1", CODE("tdpbf16ps %tmm0, %tmm1, %tmm2"), "tdpbf16ps", TILE_BITS},
    };
    EXPECT(rows, true);
}

TEST(additions)
{
    static const struct row rows[] = {
        {"-O3 -fno-tree-vectorize", product, NULL, 0},
        {"-O1", "double f(double a, double b) { return a + b - 1; }\n", NULL, 0},
        {"-O1", CODE("vaddss %xmm0, %xmm1, %xmm2"), NULL, 0},
        {"-O3 -mavx2", "void f(int *a) { for (int i = 0; i < 999; i++) a[i] += 3; }\n", "vpaddd",
         256},
        {"-O3 -mavx", "void f(double *a) { for (int i = 0; i < 999; i++) a[i] += 3; }\n", "vaddpd",
         256},
        {"-O1", CODE("subps %xmm0, %xmm1"), "subps", 128},
        {"-O1", CODE("vsubpd %zmm0, %zmm1, %zmm2"), "vsubpd", 512},
        {"-O1", CODE("vpsubq %ymm0, %ymm1, %ymm2"), "vpsubq", 256},
        {"-O1", CODE("vhaddpd %ymm0, %ymm1, %ymm2"), "vhaddpd", 256},
        {"-O1", CODE("phsubd %xmm0, %xmm1"), "phsubd", 128},
        {"-O1", CODE("addsubps %xmm0, %xmm1"), "addsubps", 128},
    };
    EXPECT(rows, false);
}

#if defined(__x86_64__)
TESTS(setup, teardown)
#else
int main(void)
{
    print_message("only code for x86-64 is looked at\n");
    return 0;
}
#endif
