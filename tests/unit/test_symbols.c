/* What a built library calls, defines and runs at load time - and files that only look like one. */
#include "unit.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/rng.h"
#include "base/strbuf.h"
#include "build/symbols.h"
#include "model/calls.h"

#include "built_library.h"

enum { FILE_MOST = 1 << 20 };

static char *check(bool constructors, enum verdict *v)
{
    static char *const allow[] = {(char *)CALLS_STANDARD};
    static char *const forbid[] = {(char *)"dlopen", (char *)"exec[lv]*", (char *)"cblas_*"};
    const struct calls written = {{(char **)allow, 1}, {(char **)forbid, 3}};
    FREED_BY(calls_free) struct calls calls = {0};
    calls_expand(&written, LAUNCH_CPU, &calls);
    const struct symbol_rules r = {&calls, constructors};
    struct err e = ERR_INIT;
    char *why;
    if (symbols_check(library, &r, test_dir, v, &why, &e) != 0)
        fail_msg("%s", e.text);
    assert_int_equal(why == NULL, *v == VERDICT_PASS);
    return why;
}

TEST(sources)
{
    static const struct {
        const char *source, *why, *why_not; /* without and with constructors allowed */
        enum verdict verdict;
    } table[] = {
        {"void *dlopen(const char *, int);\nvoid f(void)\n{\n  dlopen(0, 1);\n}\n",
         "k.c:1: calls dlopen,", "calls dlopen,", VERDICT_FORBIDDEN},
        /* All of them at once, the most severe first. */
        {"int open(const char *, int, ...), system(const char *), socket(int, int, int);\n"
         "void *dlopen(const char *, int);\nint helper(int);\nint f(void)\n{\n"
         "  dlopen(0, 1);\n  return open(\"a\", 0) +\n    helper(1) +\n    socket(1, 1, 1);\n}\n",
         "k.c:3: calls helper, but does not define it, and the assignment does not allow it: a "
         "wrong "
         "name, a missing function, or a static one?; k.c:1: calls open, k.c:1: calls socket, "
         "which the "
         "assignment does not allow; k.c:2: calls dlopen, which the assignment forbids",
         "calls socket,", VERDICT_BUILD_ERROR},
        {"int fa(), fb(), fc(), fd(), fe(), ff(), fg(), fh(), fi(), fj(), fk(), fl(), fm();\n"
         "int f(void) { return fa() + fb() + fc() + fd() + fe() + ff() + fg() + fh() + fi() +\n"
         "  fj() + fk() + fl() + fm(); }\n",
         "static one?; and 1 more", "and 1 more", VERDICT_BUILD_ERROR},
        /* As stdio.h does it. */
        {"int fscanf(void *, const char *, ...) __asm__(\"__isoc99_fscanf\");\n"
         "int f(void) { return fscanf(0, \"\"); }\n",
         "k.c:1: calls fscanf, which", "calls fscanf,", VERDICT_FORBIDDEN},
        {"#define LOAD dl##open\nint execvp();\nint f(void)\n{\n  return execvp();\n}\n",
         "k.c:2: calls execvp,", "calls execvp,", VERDICT_FORBIDDEN},
        {"#define P(x) cblas_##x\nint P(sgemm)();\nint f(void) { return P(sgemm)(); }\n",
         "calls cblas_sgemm,", "calls cblas_sgemm,", VERDICT_FORBIDDEN},
        /* No line names it: a library does. */
        {"#define P(x) sys##x\nlong P(call)(long, ...);\nlong f(void) { return P(call)(39); }\n",
         "calls syscall, which the assignment does not allow (C++20's std::jthread, std::latch, ",
         "std::mutex and std::condition_variable do not)", VERDICT_FORBIDDEN},
        {"long syscall(long, ...);\nlong f(void) { return syscall(39); }\n",
         "k.c:1: calls syscall, which the assignment does not allow", "calls syscall,",
         VERDICT_FORBIDDEN},
        {"int f(void);\nint clock_gettime(int i, void *p)\n{\n  return 0;\n}\n",
         "k.c:2: defines a function of its own called clock_gettime, a name of the runtime library",
         "clock_gettime", VERDICT_FORBIDDEN},
        {"void MPI_Barrier(void) {}\n", "MPI_Barrier", "MPI_Barrier", VERDICT_BUILD_ERROR},
        {"\nint omp_get_thread_num(void) { return 0; }\n",
         "k.c:2: defines a function of its own called omp_get_thread_num, a name of the runtime "
         "library: rename the function, or make it static",
         "omp_get_thread_num", VERDICT_BUILD_ERROR},
        {"void *pthread_pool(void *p) { return p; }\n", "pthread_pool", "pthread_pool",
         VERDICT_BUILD_ERROR},
        {"int omp_threads; __thread int omp_get_mine; static int omp_get_max_threads(void)\n"
         "{ return 1; }\nint f(void) { return omp_get_max_threads() + omp_threads; }\n",
         NULL, NULL, VERDICT_PASS},
        {"int g;\n__attribute__((constructor)) static void early(void) { g = 1; }\n",
         "k.c:2: runs code when it is loaded", NULL, VERDICT_FORBIDDEN},
        {"int g; static void early(void) { g = 1; }\n"
         "__attribute__((section(\".init_array\"), used)) static void (*const p)(void) = early;\n",
         "runs code when it is loaded", NULL, VERDICT_FORBIDDEN},
        {"void early(void) {}\n__asm__(\".section .init\\n.rept 16\\ncall early@plt\\n.endr\\n\"\n"
         "\".text\");\n",
         "runs code when it is loaded", NULL, VERDICT_FORBIDDEN},
        {"__asm__(\".section .init\\ncall early@plt\\n.text\"); void early(void) {}\n",
         "runs code when it is loaded", NULL, VERDICT_FORBIDDEN},
        {"int g; __attribute__((constructor)) static void frame_dummy(void) { g = 1; }\n",
         "runs code when it is loaded", NULL, VERDICT_FORBIDDEN},
        {"static int a(void) { return 1; }\nstatic void *choose(void) { return (void *)a; }\n"
         "int f(void) __attribute__((ifunc(\"choose\")));\n",
         "chooses a function when it is loaded", NULL, VERDICT_FORBIDDEN},
        {"static int a(void) { return 1; }\nstatic void *choose(void) { return (void *)a; }\n"
         "static int f(void) __attribute__((ifunc(\"choose\")));\nint g(void) { return f(); }\n",
         "chooses a function when it is loaded", NULL, VERDICT_FORBIDDEN},
        {"__attribute__((target_clones(\"avx2\", \"default\"))) int f(int x) { return 3 * x; }\n"
         "int g(int x) { return f(x); }\n",
         NULL, NULL, VERDICT_PASS},
        {"__asm__(\".globl gettimeofday\\ngettimeofday: ret\");\n", "gettimeofday", "gettimeofday",
         VERDICT_FORBIDDEN},
        {"int execute(void) { return 0; } int dlopened(void) { return execute(); }\n", NULL, NULL,
         VERDICT_PASS},
        {"int omp_gemm(void) { return 0; } int MPI_Barrier; int send(void) { return 1; }\n", NULL,
         NULL, VERDICT_PASS},
        {"#include <time.h>\nvoid f(struct timespec *t)\n{ clock_gettime(CLOCK_MONOTONIC, t); }\n",
         "k.c:3: calls clock_gettime, which the assignment does not allow", "calls clock_gettime,",
         VERDICT_FORBIDDEN},
        {"int kill(int, int) __attribute__((weak));\nint f(void) { return kill ? kill(1, 9) : 0; "
         "}\n",
         "k.c:1: calls kill,", "calls kill,", VERDICT_FORBIDDEN},
        {"int end(int, int);\n__asm__(\".symver end,kill@GLIBC_2.2.5\");\n"
         "int f(void) { return end(1, 9); }\n",
         "calls kill,", "calls kill,", VERDICT_FORBIDDEN},
        {"int socket(int, int, int);\nint (*p)(int, int, int) = socket;\n", "k.c:1: calls socket,",
         "calls socket,", VERDICT_FORBIDDEN},
        {"int memfd_create(const char *, unsigned);\nint f(void) { return memfd_create(\"\", 0); "
         "}\n",
         "k.c:1: calls memfd_create,", "calls memfd_create,", VERDICT_FORBIDDEN},
        {"void helper(int);\n\nvoid f(void)\n{\n  helper(3);\n}\n",
         "k.c:1: calls helper, but does not define it", "calls helper,", VERDICT_BUILD_ERROR},
        {"#include <assert.h>\n#include <ctype.h>\n#include <errno.h>\n#include <math.h>\n"
         "#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
         "#include <unistd.h>\n"
         "float f(float x, pthread_t *t, void *(*g)(void *), double y[2])\n{\n"
         "  char *s = malloc(99), *o = getenv(\"OMP_NUM_THREADS\");\n  void *m;\n"
         "  if (!s || posix_memalign(&m, 64, 4096)) { perror(\"malloc\"); exit(1); }\n"
         "  assert(x > 1 && isalpha(s[0]));\n  pthread_create(t, 0, g, s);\n"
         "  fprintf(stderr, \"%d %ld\\n\", errno, sysconf(_SC_LEVEL1_DCACHE_SIZE));\n"
         "  memset(s, 0, 99); memcpy(s, m, 99); strcpy(s, o ? o : \"\"); free(s);\n"
         "  y[0] = fmod(pow(x, y[1]), lgamma(y[0])) + strtod(s, 0) + rand();\n"
         "  return sqrtf(x) + floorf(x) + sinf(x) * expf(x);\n}\n",
         NULL, NULL, VERDICT_PASS},
        {"#include <setjmp.h>\n#include <sys/mman.h>\nsigjmp_buf a; jmp_buf b;\n"
         "int f(void *p, int n)\n{\n  if (n == 1) longjmp(b, 1);\n  if (n == 2) _longjmp(b, 1);\n"
         "  if (n == 3) siglongjmp(a, 1);\n  munlock(p, 9); munlockall();\n"
         "  return setjmp(b) + _setjmp(b) + sigsetjmp(a, 1) + mlock(p, 9) + mlockall(1);\n}\n"
         "void __longjmp_chk(jmp_buf, int);\nvoid g(void) { __longjmp_chk(b, 1); }\n",
         NULL, NULL, VERDICT_PASS},
        {"int f(void) { __builtin_cpu_init(); return __builtin_cpu_supports(\"avx2\"); }\n", NULL,
         NULL, VERDICT_PASS},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        build("-O1", table[i].source);
        const char *wanted[] = {table[i].why, table[i].why_not};
        for (int welcome = 0; welcome < 2; welcome++) {
            enum verdict v;
            OWNED char *why = check(welcome, &v);
            const char *want = wanted[welcome];
            if (!want != !why || (want && !strstr(why, want)))
                fail_msg("%s\n%s instead of %s", table[i].source, why ? why : "nothing",
                         want ? want : "nothing");
            if (want && v != table[i].verdict)
                fail_msg("%s\n%s instead of %s", table[i].source, verdict_name(v),
                         verdict_name(table[i].verdict));
        }
    }
}

TEST(exported)
{
#define MISSING "the sources do not define the function wanted"
    static const struct {
        const char *source;
        const char *why; /* NULL: it is defined */
    } table[] = {
        {"int other(void) { return 0; }\n", MISSING "; they define other"},
        {"static int wanted(void) { return 0; } int f(void) { return wanted(); }\n",
         MISSING "; they define f"},
        {"int wanted(void); int f(void) { return wanted(); }\n", MISSING "; they define f"},
        {"__attribute__((visibility(\"hidden\"))) int wanted(void) { return 0; }\n", MISSING},
        {"int data = 1;\n", MISSING},
        {"int a(void) { return 0; } int f(void) __attribute__((alias(\"a\")));\n"
         "int g(void) __attribute__((alias(\"a\"))); int h(void) __attribute__((alias(\"a\")));\n",
         MISSING "; they define "},
        {"int _Z6wantedi(int i) { return i; }\n",
         MISSING "; they define _Z6wantedi (a C++ name: include the assignment's header, or "
                 "declare the function extern \"C\")"},
        {"int escape(void) __asm__(\"\\\"no name\\\"\");\nint escape(void) { return 0; }\n",
         MISSING},
        {"int wanted(void) { return 0; }\n", NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        OWNED char *why = NULL;
        const char *want = table[i].why;
        build("-O1", table[i].source);
        assert_int_equal(symbols_missing(library, "wanted", &why, &e), 0);
        const bool some = want && want[strlen(want) - 1] == ' '; /* the order is the linker's */
        if (!want != !why || (want && strncmp(why, want, strlen(want)) != 0) ||
            (want && !some && strlen(why) != strlen(want)))
            fail_msg("%s: '%s'", table[i].source, why ? why : "");
        if (some) {
            assert_int_equal(strlen(why), strlen(want) + strlen("a, f, g"));
        }
    }
    struct err e = ERR_INIT;
    char *why;
    assert_int_equal(fs_write_atomic(library, "x", 1, NULL), 0);
    assert_int_equal(symbols_missing(library, "wanted", &why, &e), 0);
    assert_string_equal(why, MISSING);
    free(why);
    assert_int_equal(symbols_missing("/nowhere/kernel.so", "wanted", &why, &e), -1);
    assert_null(why);
}

TEST(no_library)
{
    static const char *const texts[] = {"", "x", "#!/bin/sh\n", "\177ELF\002\001\001",
                                        "INPUT(/lib/x86_64-linux-gnu/libdl.so.2)\n"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(fs_write_atomic(library, texts[i], strlen(texts[i]), NULL), 0);
        enum verdict v;
        OWNED char *why = check(true, &v);
        assert_non_null(why);
        assert_int_equal(v, VERDICT_FORBIDDEN);
        assert_non_null(strstr(why, "no shared library"));
    }
    struct err e = ERR_INIT;
    char *why;
    enum verdict v;
    assert_int_equal(
        symbols_check("/nowhere/kernel.so", &(struct symbol_rules){0}, test_dir, &v, &why, &e), -1);
    assert_null(why);
}

/* A table of symbols that is not the one that the loader will see. */
TEST(table_elsewhere)
{
    OWNED char *good = NULL;
    size_t n;
    Elf64_Ehdr h;
    Elf64_Shdr s;
    enum verdict v;
    build("-O1", "int f(void) { return 1; }\n");
    free(check(false, &v));
    assert_int_equal(v, VERDICT_PASS);
    assert_int_equal(fs_read(library, FILE_MOST, &good, &n, NULL), 0);
    memcpy(&h, good, sizeof h);
    for (unsigned i = 0; i < h.e_shnum; i++) {
        size_t at = h.e_shoff + i * sizeof s;
        memcpy(&s, good + at, sizeof s);
        if (s.sh_type != SHT_DYNSYM)
            continue;
        OWNED char *moved = xcalloc(n + s.sh_size, 1);
        memcpy(moved, good, n);
        memcpy(moved + n, good + s.sh_offset, s.sh_size);
        s.sh_offset = n;
        memcpy(moved + at, &s, sizeof s);
        assert_int_equal(fs_write_atomic(library, moved, n + s.sh_size, NULL), 0);
    }
    OWNED char *why = check(false, &v);
    assert_int_equal(v, VERDICT_FORBIDDEN);
    assert_non_null(strstr(why, "not in order"));
}

/* Whatever the bytes, the answer is yes or no; the sanitizers watch where it looks. */
TEST(damaged)
{
    build("-O1", "#include <stdlib.h>\nint f(void) { return atoi(\"1\"); }\n"
                 "__attribute__((constructor)) static void early(void) { abort(); }\n");
    OWNED char *good = NULL;
    size_t n;
    assert_int_equal(fs_read(library, FILE_MOST, &good, &n, NULL), 0);
    Elf64_Ehdr h;
    memcpy(&h, good, sizeof h);
    for (unsigned round = 0; round < 1500; round++) {
        OWNED char *bad = malloc(n);
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
        enum verdict v;
        free(check(round % 2, &v));
        OWNED char *why = NULL;
        symbols_missing(library, "atoi", &why, NULL);
    }
}

TESTS(setup, teardown)
