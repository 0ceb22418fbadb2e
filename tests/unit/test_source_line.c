/* The line of a crash: what addr2line prints is not trusted, and what is not known is not said. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/proc.h"
#include "build/source_line.h"

#include "test_dir.h"

TEST(answers_that_say_nothing)
{
    static const char *const texts[] = {
        "",
        "gemm_i32",
        "gemm_i32\n",
        "??\n??:0\n",
        "??\nnaive.c:12\n",
        "gemm_i32\n??:12\n",
        "gemm_i32\nnaive.c\n",
        "gemm_i32\nnaive.c\n:12\n",
        "gemm_i32\nnaive.c:\n",
        "gemm_i32\nnaive.c:?\n",
        "gemm_i32\nnaive.c:0\n",
        "gemm_i32\nnaive.c:-4\n",
        "gemm_i32\nnaive.c:99999999999999999999\n",
        "gemm\033[31m\nnaive.c:12\n",
        "gemm_i32\nna\tive.c:12\n",
        "gemm_i32\n\xff.c:12\n",
        "\nnaive.c:12\n",
        "gemm_i32\n:12\n",
        "gemm_i32\na123456789b123456789c123456789d123456789e123456789f123456789g123:12\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct source_line at;
        if (source_line_read(texts[i], "/d", &at))
            fail_msg("row %zu is accepted: %s", i, texts[i]);
    }
}

TEST(answers)
{
    static const struct {
        const char *text;
        struct source_line at;
    } rows[] = {
        {"gemm_i32\nnaive.c:12\n", {"gemm_i32", "naive.c", 12}},
        {"gemm_i32\nnaive.c:12 (discriminator 3)\n", {"gemm_i32", "naive.c", 12}},
        {"gemm_i32._omp_fn.0\nopenmp.c:7\n", {"gemm_i32", "openmp.c", 7}},
        {"row(int const*, int)\nnaive.cpp:1\n", {"row", "naive.cpp", 1}},
        {"mul(M const&, M const&) [clone ._omp_fn.0]\nm.cpp:7\n", {"mul", "m.cpp", 7}},
        {"mul(M const&) [clone .constprop.0] [clone .isra.0]\nm.cpp:7\n", {"mul", "m.cpp", 7}},
        {"M::operator[](unsigned long) const\nm.cpp:7\n", {"M::operator[]", "m.cpp", 7}},
        {"(anonymous namespace)::row(void (*)(int))\nm.cpp:7\n",
         {"(anonymous namespace)::row", "m.cpp", 7}},
        {"mul(M const&)::{lambda(int)#1}::operator()(int) const\nm.cpp:7\n",
         {"mul(M const&)::{lambda(int)#1}::operator()", "m.cpp", 7}},
        {"mul(int, int, std::vector<int, std::allocator<int> >, std::vector<int> const&, bool)\n"
         "m.cpp:7\n",
         {"mul", "m.cpp", 7}},
        {"a123456789b123456789c123456789d123456789e123456789f123456789g123\nnaive.c:12\n",
         {"a123456789b123456789c123456789d123456789e123456789f123456789...", "naive.c", 12}},
        {"unbalanced)\nm.cpp:7\n", {"unbalanced)", "m.cpp", 7}},
        {"0x12\ngemm_i32\n/d/src/naive.c:12\n", {"gemm_i32", "naive.c", 12}},
        {"0x12\n_mm_load_si128\n/usr/lib/emmintrin.h:697\nrow\n/d/src/simd.c:5\ngemm_i32\n"
         "/d/src/simd.c:9\n",
         {"row", "simd.c", 5}},
        {"0x12\nstd::vector<int>::at(unsigned long)\n/usr/include/stl_vector.h:9\n0x40\ngemm\n"
         "/d/k.cpp:3\n",
         {"gemm", "k.cpp", 3}},
        {"0x12\n??\n??:0\n0x40\ngemm\n/d/k.cpp:3\n", {"gemm", "k.cpp", 3}},
        {"0x12\nf\n/dd/other.h:4\n0x40\n??\n??:?\n", {"f", "other.h", 4}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct source_line at;
        assert_true(source_line_read(rows[i].text, "/d", &at));
        assert_string_equal(at.function, rows[i].at.function);
        assert_string_equal(at.file, rows[i].at.file);
        assert_int_equal(at.line, rows[i].at.line);
    }
}

/* Compile test_dir/k.c with one more option. The caller frees the path of the library. */
static char *compile(const char *option, const char *name)
{
    char *out = at(name), *source = at("k.c"), gcc[] = "gcc", shared[] = "-shared", pic[] = "-fPIC",
         o2[] = "-O2", o[] = "-o", *extra = xstrdup(option);
    char *argv[] = {gcc, shared, pic, o2, o, out, source, extra, NULL};
    const struct proc_spec spec = {.argv = argv, .output_max = 4096};
    FREED_BY(proc_result_free) struct proc_result r = {0};
    assert_int_equal(proc_run(&spec, &r, NULL), 0);
    assert_true(proc_ok(&r));
    free(extra);
    free(source);
    return out;
}

TEST_WITH(same_code, test_dir_clear, NULL)
{
    put_at("k.c", "int f(int x)\n{\n    return 10 / x + VALUE;\n}\n");
    OWNED char *plain = compile("-DVALUE=1", "a.so"), *missing = at("missing.so"),
               *text = at("k.c");
    put_at("k.c", "#define VALUE 1\nint f(int x)\n{\n    return 10 / x + VALUE;\n}\n");
    OWNED char *lines = compile("-g", "b.so");
    put_at("k.c", "#define VALUE 2\nint f(int x)\n{\n    return 10 / x + VALUE;\n}\n");
    OWNED char *other = compile("-g", "c.so");
    assert_false(source_line_same_code(plain, missing));
    assert_false(source_line_same_code(missing, plain));
    assert_false(source_line_same_code(plain, text));
    assert_false(source_line_same_code(plain, other));
    assert_true(source_line_same_code(plain, lines));
}

TEST_WITH(lines, test_dir_clear, NULL)
{
    static const struct sandbox_policy policy = {0};
    struct source_line at_line;
    put_at("k.c", "int f(int x)\n{\n    return x ? f(x / 2) : 7;\n}\n");
    OWNED char *with = compile("-g", "with.so"), *without = compile("-g0", "without.so");
    OWNED char *missing = at("missing.so"), *tool = proc_which("addr2line");
    uint64_t places[2], none[2];
    memset(none, 0xff, sizeof none);
    memset(places, 0xff, sizeof places);
    places[0] = 0;
    if (!tool)
        skip();
    assert_false(source_line_find(&policy, test_dir, missing, places, 2, &at_line));
    assert_false(source_line_find(&policy, test_dir, with, places, 2, &at_line));
    assert_false(source_line_find(&policy, test_dir, with, none, 2, &at_line));
    while (places[0] < 0x10000 && !source_line_find(&policy, test_dir, with, places, 2, &at_line))
        places[0] += 16; /* where functions start */
    assert_true(places[0] < 0x10000);
    assert_string_equal(at_line.function, "f");
    assert_string_equal(at_line.file, "k.c");
    assert_in_range(at_line.line, 1, 4);
    assert_false(source_line_find(&policy, test_dir, without, places, 2, &at_line));
}

TESTS(test_dir_make, test_dir_remove)
