/* What a built library calls, defines and runs at load time - and files that only look like one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/proc.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "proctor/symbols.h"

static char base[] = "/tmp/test_symbols.XXXXXX";
static char *library, *source;

enum { FILE_MOST = 1 << 20 };

static void build(const char *text)
{
    assert_int_equal(fs_write_atomic(source, text, strlen(text), NULL), 0);
    char *line = xasprintf("gcc -O1 -w -fPIC -shared -o %s %s", library, source);
    char **argv = proc_argv_split(line);
    struct proc_spec spec = {.argv = argv, .output_max = 4096};
    struct proc_result r;
    assert_int_equal(proc_run(&spec, &r, NULL), 0);
    if (!proc_ok(&r))
        fail_msg("%s", r.err.s);
    proc_result_free(&r);
    proc_argv_free(argv);
    free(line);
}

static char *check(bool constructors)
{
    static char *const forbid[] = {(char *)"dlopen", (char *)"exec[lv]*", (char *)"cblas_*"};
    const struct symbol_rules r = {forbid, 3, constructors};
    struct err e = ERR_INIT;
    char *why;
    if (symbols_check(library, &r, base, &why, &e) != 0)
        fail_msg("%s", e.text);
    return why;
}

static int setup(void **arg)
{
    (void)arg;
    if (!mkdtemp(base))
        return -1;
    library = xasprintf("%s/kernel.so", base);
    source = xasprintf("%s/k.c", base);
    return 0;
}

static int teardown(void **arg)
{
    (void)arg;
    free(library);
    free(source);
    return fs_remove_tree(base, NULL);
}

static void sources(void **arg)
{
    (void)arg;
    static const struct {
        const char *source, *why, *why_not; /* without and with constructors allowed */
    } table[] = {
        {"void *dlopen(const char *, int);\nvoid f(void)\n{\n  dlopen(0, 1);\n}\n",
         "k.c:1: calls dlopen,", "calls dlopen,"},
        {"#define LOAD dl##open\nint execvp();\nint f(void)\n{\n  return execvp();\n}\n",
         "k.c:2: calls execvp,", "calls execvp,"},
        {"#define P(x) cblas_##x\nint P(sgemm)();\nint f(void) { return P(sgemm)(); }\n",
         "calls cblas_sgemm,", "calls cblas_sgemm,"},
        {"int f(void);\nint clock_gettime(int i, void *p)\n{\n  return 0;\n}\n",
         "k.c:2: defines a function of its own called clock_gettime,", "clock_gettime"},
        {"void MPI_Barrier(void) {}\n", "MPI_Barrier", "MPI_Barrier"},
        {"int g;\n__attribute__((constructor)) static void early(void) { g = 1; }\n",
         "k.c:2: runs code when it is loaded", NULL},
        {"int g; static void early(void) { g = 1; }\n"
         "__attribute__((section(\".init_array\"), used)) static void (*const p)(void) = early;\n",
         "runs code when it is loaded", NULL},
        {"void early(void) {}\n__asm__(\".section .init\\n.rept 16\\ncall early@plt\\n.endr\\n\"\n"
         "\".text\");\n",
         "runs code when it is loaded", NULL},
        {"int execute(void) { return 0; } int dlopened(void) { return execute(); }\n", NULL, NULL},
        {"int omp_gemm(void) { return 0; } int MPI_Barrier; int send(void) { return 1; }\n", NULL,
         NULL},
        {"#include <time.h>\n#include <stdlib.h>\nvoid *f(struct timespec *t)\n"
         "{ clock_gettime(CLOCK_MONOTONIC, t); return malloc(9); }\n",
         NULL, NULL},
        {"int f(void) { __builtin_cpu_init(); return __builtin_cpu_supports(\"avx2\"); }\n", NULL,
         NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        build(table[i].source);
        const char *wanted[] = {table[i].why, table[i].why_not};
        for (int welcome = 0; welcome < 2; welcome++) {
            char *why = check(welcome);
            const char *want = wanted[welcome];
            if (!want != !why || (want && !strstr(why, want)))
                fail_msg("%s\n%s instead of %s", table[i].source, why ? why : "nothing",
                         want ? want : "nothing");
            free(why);
        }
    }
}

static void exported(void **arg)
{
    (void)arg;
    static const struct {
        const char *source;
        bool defined;
    } table[] = {
        {"int other(void) { return 0; }\n", false},
        {"static int wanted(void) { return 0; } int f(void) { return wanted(); }\n", false},
        {"int wanted(void); int f(void) { return wanted(); }\n", false},
        {"__attribute__((visibility(\"hidden\"))) int wanted(void) { return 0; }\n", false},
        {"int wanted_too(void) { return 0; } int unwanted(void) { return 0; }\n", false},
        {"int wanted(void) { return 0; }\n", true},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        bool yes = !table[i].defined;
        build(table[i].source);
        assert_int_equal(symbols_defined(library, "wanted", &yes, &e), 0);
        if (yes != table[i].defined)
            fail_msg("%s", table[i].source);
    }
    struct err e = ERR_INIT;
    bool yes = true;
    assert_int_equal(fs_write_atomic(library, "x", 1, NULL), 0);
    assert_int_equal(symbols_defined(library, "wanted", &yes, &e), 0);
    assert_false(yes);
    assert_int_equal(symbols_defined("/nowhere/kernel.so", "wanted", &yes, &e), -1);
}

static void no_library(void **arg)
{
    (void)arg;
    static const char *const texts[] = {"", "x", "#!/bin/sh\n", "\177ELF\002\001\001",
                                        "INPUT(/lib/x86_64-linux-gnu/libdl.so.2)\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(fs_write_atomic(library, texts[i], strlen(texts[i]), NULL), 0);
        char *why = check(true);
        assert_non_null(why);
        assert_non_null(strstr(why, "no shared library"));
        free(why);
    }
    struct err e = ERR_INIT;
    char *why;
    assert_int_equal(symbols_check("/nowhere/kernel.so", &(struct symbol_rules){0}, base, &why, &e),
                     -1);
    assert_null(why);
}

/* Whatever the bytes, the answer is yes or no; the sanitizers watch where it looks. */
static void damaged(void **arg)
{
    (void)arg;
    build("#include <stdlib.h>\nint f(void) { return atoi(\"1\"); }\n"
          "__attribute__((constructor)) static void early(void) { abort(); }\n");
    char *good;
    size_t n;
    assert_int_equal(fs_read(library, FILE_MOST, &good, &n, NULL), 0);
    Elf64_Ehdr h;
    memcpy(&h, good, sizeof h);
    for (unsigned round = 0; round < 1500; round++) {
        char *bad = malloc(n);
        assert_non_null(bad);
        memcpy(bad, good, n);
        size_t length = n;
        /* Where it hurts: the headers, the section table, the dynamic tables; or shorter. */
        for (unsigned k = 0; k < 1 + round % 4; k++) {
            uint64_t where = rng_at(round, k), value = rng_at(round, k + 8);
            size_t from = round % 3 == 0 ? 0 : round % 3 == 1 ? h.e_shoff : 0x200;
            size_t room = round % 3 == 0 ? 0x400 : round % 3 == 1 ? n - h.e_shoff : n - 0x200;
            size_t at = from + where % room;
            size_t width = n - at < 8 ? n - at : 8;
            if (value & 1)
                value = (uint64_t)-1 >> (value % 64);
            memcpy(bad + at, &value, width);
        }
        if (round % 5 == 0)
            length = rng_at(round, 99) % n;
        assert_int_equal(fs_write_atomic(library, bad, length, NULL), 0);
        free(check(round % 2));
        bool yes;
        symbols_defined(library, "atoi", &yes, NULL);
        free(bad);
    }
    free(good);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_library),
        cmocka_unit_test(sources),
        cmocka_unit_test(exported),
        cmocka_unit_test(damaged),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
