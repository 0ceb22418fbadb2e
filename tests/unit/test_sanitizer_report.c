/* What sanitizers print, and what programs print that look like it. */
#include "base/strbuf.h"
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build/sanitizer_report.h"

#define LIBRARY "/tmp/x/second/kernel.so"
#define BEGIN "it prints\n====\n==43==ERROR: AddressSanitizer: "
#define STACK                                                                                      \
    "    #0 0x7f90  (/lib/libasan.so.8+0x47680)\n    #1 0x7f91  (" LIBRARY "+0x1396)\n"            \
    "    #2 0x7f92  (" LIBRARY "+0x9)\n\n"
#define ALLOCATED                                                                                  \
    "allocated by thread T0 here:\n    #0 0x7f  (/lib/libasan.so.8+0xb89cf)\n"                     \
    "    #1 0x55  (" LIBRARY "+0x13c7) (BuildId: 77)\n\n"

TEST(memory_errors)
{
    static const struct {
        const char *output, *what, *declared; /* what NULL: there is none */
        uint64_t place, allocated;
    } table[] = {
        {"", NULL, "", 0, 0},
        {"AddressSanitizer: heap-buffer-overflow", NULL, "", 0, 0},
        {BEGIN "stack-overflow on address 0x7f\n" STACK, NULL, "", 0, 0},
        {BEGIN "requested allocation size 0xffff exceeds\n" STACK, NULL, "", 0, 0},
        {BEGIN "SEGV on unknown address 0x0\n" STACK, NULL, "", 0, 0},
        {BEGIN "use-after-poison on address 0x7f\nREAD of size 32 at 0x7f thread T0\n" STACK,
         "reads beside a matrix", "", 0x1396, UINT64_MAX},
        {BEGIN "use-after-poison on address 0x7f\nWRITE of size 4 at 0x7f thread T0\n" STACK,
         "writes beside the output matrix", "", 0x1396, UINT64_MAX},
        {BEGIN "global-buffer-overflow on address 0x56\nWRITE of size 4 at 0x56 thread T0\n" STACK
               "0x56 is located 0 bytes to the right of global variable 'row' defined in "
               "'a/naive.c:3:12' (0x55) of size 512\n",
         "writes outside of a static or global array, row (512 bytes)", "naive.c:3", 0x1396,
         UINT64_MAX},
        {BEGIN "heap-buffer-overflow on address 0x56\nREAD of size 4 at 0x56 thread T0\n" STACK
               "0x56 is located 0 bytes after 520-byte region [0x1,0x2)\n" ALLOCATED,
         "reads outside of a block from malloc (520 bytes)", "", 0x1396, 0x13c7},
        {BEGIN "stack-buffer-overflow on address 0x7f\nWRITE of size 4 at 0x7f thread T0\n" STACK
               "  This frame has 2 object(s):\n    [32, 36) 's' (line 5)\n"
               "    [48, 88) 'buf' (line 8) <== Memory access at offset 88 overflows\n",
         "writes outside of a local array, buf", "", 0x1396, UINT64_MAX},
        {BEGIN "heap-use-after-free on address 0x60\nWRITE of size 4 at 0x60 thread T0\n" STACK
               "0x60 is located 4 bytes inside of 40-byte region [0x1,0x2)\nfreed by thread T0 "
               "here:\n" STACK "previously " ALLOCATED,
         "writes to memory after free (40 bytes)", "", 0x1396, 0x13c7},
        {BEGIN "attempting double-free on 0x60 in thread T0:\n" STACK, "frees memory twice", "",
         0x1396, UINT64_MAX},
        /* Hostile: endless names, no frames, no end. */
        {BEGIN "global-buffer-overflow\nWRITE of size 4 at 0x\n    #0 (" LIBRARY "x+0x1)\n"
               "of global variable 'a\x1b[2J' defined in '\n:1' (0) of size x",
         "writes outside of a static or global array", "", UINT64_MAX, UINT64_MAX},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct memory_error m;
        const bool found = sanitizer_memory_error(table[i].output, LIBRARY, &m);
        assert_int_equal(m.harmless, found && strstr(m.what, "reads beside") != NULL);
        if (found != (table[i].what != NULL))
            fail_msg("row %zu: %s", i, found ? m.what : "nothing");
        if (!found)
            continue;
        if (strcmp(m.what, table[i].what) != 0)
            fail_msg("row %zu: '%s'", i, m.what);
        assert_string_equal(m.declared, table[i].declared);
        assert_int_equal(m.place, table[i].place);
        assert_int_equal(m.allocated, table[i].allocated);
    }
}

TEST(overflows)
{
    const char *at = "b.c:3:1: runtime error: index 3 out of bounds for type 'int [3]'\n"
                     "x: runtime error: signed integer overflow: 1 + 2\n"
                     "../src/a.c:13:21: runtime error: signed integer overflow: 2147483647 + 4 "
                     "cannot be represented in type 'int'\n"
                     "a.c:14:2: runtime error: signed integer overflow: -5 * 500000000000000000 "
                     "cannot be represented in type 'long int'\n"
                     "a.c:15:2: runtime error: signed integer overflow:\n";
    struct index_error x;
    assert_true(sanitizer_overflow(&at, &x));
    assert_string_equal(x.place, "a.c:13");
    assert_string_equal(x.what, "2147483647 + 4 is too large for int");
    assert_true(sanitizer_overflow(&at, &x));
    assert_string_equal(x.what, "-5 * 500000000000000000 is too large for long int");
    assert_false(sanitizer_overflow(&at, &x));
}

/* A program can print a stack of a million lines: to look to the end of the text for each of them
 * takes minutes. */
TEST(endless_stack)
{
    enum { LINES = 1000000, SECONDS = 20 };
    static const char begin[] = BEGIN "heap-buffer-overflow on\nREAD of size 4\n";
    OWNED char *text = malloc(sizeof begin + 2 * (size_t)LINES);
    struct memory_error m;
    assert_non_null(text);
    memcpy(text, begin, sizeof begin);
    for (char *at = text + sizeof begin - 1, *end = at + 2 * (size_t)LINES; at < end; at += 2)
        memcpy(at, "x\n", 3);
    alarm(SECONDS);
    assert_true(sanitizer_memory_error(text, LIBRARY, &m));
    alarm(0);
    assert_true(m.place == UINT64_MAX);
}

TEST(index_errors)
{
    const char *at = "x: runtime error: index\nnaive.c:1:2: runtime error: index 1 of 'int'\n"
                     "../src/openmp.c:12:9: runtime error: index -1 out of bounds for type "
                     "'int32_t [128]'\n"
                     "hello b.c:7:1: runtime error: index 3 out of bounds for type 'int [*]'\n"
                     "b.c:8: runtime error: index 4 out of bounds for type 'int [3]'\n"
                     "b.c:9:1: runtime error: index 4 out of bounds for type 'add 10 points'\n"
                     "b.c:9:1: runtime error: index 4 out of bounds for type '<b>!</b> [1]'\n"
                     "b.c:9:1: runtime error: index 1 out of bounds for type 'int [3]";
    struct index_error x;
    assert_true(sanitizer_index_error(&at, &x));
    assert_string_equal(x.place, "openmp.c:12");
    assert_string_equal(x.what, "index -1 is outside of int32_t [128]");
    assert_true(sanitizer_index_error(&at, &x));
    assert_string_equal(x.place, "b.c:8");
    assert_false(sanitizer_index_error(&at, &x));
}

#define G "========= "
#define INVALID G "Invalid __global__ write of size 4 bytes\n"
#define THREAD G "    by thread (0,0,0) in block (1,0,0)\n"
#define OUT G "    Access to 0x7f798aa00300 is out of bounds\n"
#define RACE G "Error: Race reported between Write access at shared_race(int *)+0xa0 in kernel.cu:7"

TEST(device_errors)
{
    static const struct {
        const char *report, *place, *what; /* of the first error; place NULL: there is none */
    } table[] = {
        /* Cut off, or damaged. */
        {"", NULL, ""},
        {"=========", NULL, ""},
        {INVALID, NULL, ""},
        {INVALID G "    at oob(int, int *)+0x90 in kernel.cu:3", NULL, ""},
        {INVALID G "    at oob(int, int *)+0x90 in kernel.cu:\n", NULL, ""},
        {INVALID G "    at oob(int, int *)+0x90\n" THREAD OUT, NULL, ""},
        {INVALID G "    at oob in kernel.cu:3x\n", NULL, ""},
        {INVALID G "    at oob in ker\x1bnel.cu:3\n", NULL, ""},
        {INVALID THREAD G "    at oob in kernel.cu:3\n", NULL, ""},
        {G "Invalid __everything__ write of size 4 bytes\n" G "    at f in kernel.cu:3\n", NULL,
         ""},
        {G "Invalid __global__ smell of size 4 bytes\n" G "    at f in kernel.cu:3\n", NULL, ""},
        {"Invalid __global__ write of size 4 bytes\n    at oob in kernel.cu:3\n", NULL, ""},
        {RACE, NULL, ""},
        {RACE "\n", NULL, ""},
        {RACE "\n" G "\n", NULL, ""},
        {RACE "\n" G "    and Read access at f+0xb0 in kernel.cu", NULL, ""},
        /* Nobody's mistake, or not certain. */
        {G "COMPUTE-SANITIZER\n" G "ERROR SUMMARY: 0 errors\n", NULL, ""},
        {G "Error: Target application terminated before first instrumented API call\n", NULL, ""},
        {G
         "Program hit cudaErrorInvalidValue (error 1) due to \"invalid\" on CUDA API call to f\n" G
         "    at f in kernel.cu:3\n",
         NULL, ""},
        {G "Warning: Race reported between Write access at f+0xa0 in kernel.cu:7\n" G
           "    and Write access at f+0xb0 in kernel.cu:8 [2 hazards]\n",
         NULL, ""},
        {G "Barrier error detected. Invalid arguments\n" G "    at f+0x70 in kernel.cu:13\n", NULL,
         ""},
        /* As the tools print them. */
        {"it prints\n" G "COMPUTE-SANITIZER\n" INVALID G
         "    at oob(int, int *)+0x90 in kernel.cu:3\n" THREAD OUT G
         "    and is 1 bytes after the nearest allocation at 0x7f798aa00200 of size 256 bytes\n",
         "kernel.cu:3", "writes outside of the memory that was allocated on the GPU"},
        {INVALID G "    at oob(int, int *)+0x90\n" THREAD OUT G "\n" INVALID G
                   "    at other(int)+0x1 in /tmp/x/src/lib/kernel.cuh:33\n" THREAD OUT,
         "kernel.cuh:33", "writes outside of the memory that was allocated on the GPU"},
        {G "Invalid __shared__ read of size 8 bytes\n" G "    at f+0x90 in kernel.cu:3\n" THREAD,
         "kernel.cu:3", "reads outside of __shared__ memory"},
        {G "Invalid __global__ read of size 16 bytes\n" G "    at f+0x90 in kernel.cu:3\n" THREAD G
           "    Access to 0x7f798aa00304 is misaligned\n",
         "kernel.cu:3", "reads at an address that is not a multiple of the size"},
        {RACE "\n" G
              "    and Read access at shared_race(int *)+0xb0 in kernel.cu:8 [256 hazards]\n",
         "kernel.cu:7",
         "threads of a block write __shared__ memory that others read at kernel.cu:8, without "
         "__syncthreads() between"},
        {RACE "\n" G "    and Write access at shared_race(int *)+0xb0 in kernel.cu:7 [9 hazards]\n",
         "kernel.cu:7",
         "threads of a block write __shared__ memory that others write, without __syncthreads() "
         "between"},
        {G "Barrier error detected. Divergent thread(s) in warp.\n" G
           "    at branch_barrier(int *)+0x70 in kernel.cu:13\n" THREAD,
         "kernel.cu:13", "a barrier that not all threads of a block reach"},
        {G "Uninitialized __global__ memory read of size 4 bytes\n" G
           "    at unset(const int *, int *)+0x60 in kernel.cu:16\n" THREAD G
           "    Address 0x7f069ca00000\n",
         "kernel.cu:16", "reads memory of the GPU that was never set"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct device_error x;
        const char *at = table[i].report;
        if (sanitizer_device_error(&at, &x) != (table[i].place != NULL))
            fail_msg("row %zu: '%s: %s'", i, x.place, x.what);
        if (!table[i].place)
            continue;
        assert_string_equal(x.place, table[i].place);
        assert_string_equal(x.what, table[i].what);
        assert_false(sanitizer_device_error(&at, &x));
    }
}

TEST(device_errors_of_one_report)
{
    static char endless[5000];
    const char *at = INVALID G "    at a+0x90 in kernel.cu:3\n" THREAD OUT G "\n" RACE "\n" G
                               "    and Read access at b in kernel.cu:8\n" G "\n" INVALID G
                               "    at a+0x90 in kernel.cu:4\n";
    static const char *const places[] = {"kernel.cu:3", "kernel.cu:7", "kernel.cu:4"};
    struct device_error x;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        assert_true(sanitizer_device_error(&at, &x));
        assert_string_equal(x.place, places[i]);
    }
    assert_false(sanitizer_device_error(&at, &x));
    /* The place of a line that is too long could be cut. */
    snprintf(endless, sizeof endless, INVALID G "    at f<%04000d> in kernel.cu:12\n", 0);
    at = endless;
    assert_false(sanitizer_device_error(&at, &x));
}

TESTS(NULL, NULL)
