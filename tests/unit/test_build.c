/* Building: the student hears what the compiler said, and no source can hold the grader up. */
#include "unit.h"

#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/digest.h"
#include "base/fsio.h"
#include "kernel/kernel.h"

#include "base/install.h"
#include "base/strbuf.h"
#include "build/build.h"
#include "model/protection.h"
#include "supervise/sandbox.h"
#include "supervise/stop.h"

#include "test_dir.h"

/* Each test has a fresh test_dir/sources, and builds in test_dir/build. */
static int fresh(void **arg)
{
    fs_remove_tree(test_dir, NULL);
    OWNED char *sources = at("sources");
    return fs_mkdirs(sources, NULL);
}

struct setting {
    const char *compile, *compile_cxx, *source;
    int64_t build_ms; /* 0: ample */
};

static char *const *more_words;  /* appended by builds from now on */
static enum pragma_rule pragmas; /* of builds from now on */

/* file: an adapter below test_dir, or NULL */
static int build_with(struct setting s, const char *file, struct build *b, struct err *e)
{
    OWNED char *sources = at("sources"), *dir = at("build");
    OWNED char *compile = xstrdup(s.compile), *cxx = s.compile_cxx ? xstrdup(s.compile_cxx) : NULL;
    char *with[] = {(char[]){"lib/*.c"}, (char[]){"util.c*"}};
    const struct tier t = {.name = (char[]){"simd"},
                           .kernel = kernel_find("gemm", TYPE_I32),
                           .compile = compile,
                           .compile_cxx = cxx,
                           .pragmas = pragmas,
                           .with = with,
                           .with_count = 2};
    OWNED char *adapter = file ? at(file) : NULL;
    const struct limits l = {.build_ms = s.build_ms ? s.build_ms : 60000, .source_bytes = 1000};
    fs_remove_tree(dir, NULL);
    assert_int_equal(fs_mkdirs(dir, NULL), 0);
    const struct sandbox_policy policy = {0};
    const struct build_job job = {.tier = &t,
                                  .limits = &l,
                                  .sandbox = &policy,
                                  .sources = sources,
                                  .source = s.source,
                                  .adapter = adapter,
                                  .appended = more_words,
                                  .dir = dir};
    return build_tier(&job, b, e);
}

static int build(struct setting s, struct build *b, struct err *e)
{
    return build_with(s, NULL, b, e);
}

static const char gcc[] = "gcc -std=c11 -fPIC -shared -I{abi} -o {out} {src}";

/* A compile command that runs a header of the submission as a script. It compiles the empty source,
 * so that the compiler counts as sound. */
#define SCRIPT(name) "sh {dir}/../src/" name " {src} {out}"
#define SOUND "case $PWD in */empty) exec touch \"$2\";; esac\n"

/* --- not the source's fault ------------------------------------------------------------------- */

TEST(trouble)
{
    char big[1002];
    memset(big, ' ', sizeof big - 1);
    big[sizeof big - 1] = '\0';
    put_at("sources/ok.c", "int x;");
    put_at("sources/big.c", big);
    OWNED char *link = at("sources/link.c");
    assert_int_equal(symlink("ok.c", link), 0);
    static const struct {
        struct setting s;
        const char *says;
    } table[] = {
        {{gcc, NULL, "missing.c", 0}, "missing.c"},
        {{gcc, NULL, "big.c", 0}, "big.c: is larger than 1000 bytes"},
        {{gcc, NULL, "link.c", 0}, "link.c: is a symbolic link"},
        {{"no-such-compiler-here -o {out} {src}", NULL, "ok.c", 0},
         "the compiler no-such-compiler-here is not installed on this node"},
        {{"false {src}", NULL, "ok.c", 0},
         "the compile command of the tier 'simd' does not compile an empty source either: the "
         "command in the assignment is wrong, or parts of the compiler are missing on this node: "
         "the compiler failed without a message (false ok.c)"},
        {{"gcc --no-such-option -o {out} {src}", NULL, "ok.c", 0}, "no-such-option"},
        {{"true", NULL, "ok.c", 0}, "made no library"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(build_free) struct build b = {0};
        struct err e = ERR_INIT;
        if (build(table[i].s, &b, &e) != -1 || e.kind == ERR_NONE || !strstr(e.text, table[i].says))
            fail_msg("%s: '%s'", table[i].s.source, e.text);
        assert_null(b.library);
    }
    fresh(NULL);
    put_at("sources/ok.c", "int x;");
    put_at("sources/big.h", big); /* a header counts as well */
    FREED_BY(build_free) struct build b = {0};
    struct err e = ERR_INIT;
    assert_int_equal(build((struct setting){gcc, NULL, "ok.c", 0}, &b, &e), -1);
    assert_non_null(strstr(e.text, "big.h: is larger"));
}

#define SAVE_AS_UTF8 ", which compilers do not read: save it as UTF-8"

/* --- what the compiler refuses ---------------------------------------------------------------- */

TEST(refused)
{
    put_at("sources/k.c", "#error the first\n#error the second\n");
    put_at("sources/k.cpp", "");
    put_at("sources/link.c", "int missing(void);\nint k(void)\n{\n    return missing();\n}\n");
    put_at("sources/warns.h",
           SOUND "i=0; while [ $i -lt 400 ]; do echo \"k.c:$i:1: warning: a warning as long "
                 "as warnings are, or longer still\" >&2; i=$((i + 1)); done\n"
                 "echo 'k.c:9: error: the one' >&2; exit 1\n");
    put_at("sources/ld.h",
           SOUND "printf '\\nnote\\nx.c: undefined reference to `f\\n' >&2; exit 1\n");
    put_at("sources/ld2.h",
           SOUND "echo 'x.c: two definitions of f' >&2; "
                 "echo 'collect2: error: ld returned 1 exit status' >&2; exit 1\n");
    /* As Notepad and PowerShell write it, and without a mark. */
    static const char utf16[][12] = {"\xff\xfei\0n\0t\0", "\xfe\xff\0i\0n\0t", "i\0n\0t\0"};
    for (int i = 0; i < 3; i++) {
        OWNED char *path = xasprintf("%s/sources/utf16-%d.c", test_dir, i);
        assert_int_equal(fs_write_atomic(path, utf16[i], 8 - 2 * (i == 2), NULL), 0);
    }
    put_at("sources/k.f90", "x = \n");
    put_at("sources/other.h", "case $PWD in */empty) grep -q . \"$1\" || exec touch \"$2\";; esac\n"
                              "echo 'k.f90:1: Error: not C' >&2; exit 1\n");
    put_at("sources/none.h", SOUND "exit 0\n");
    put_at("sources/mute.h", SOUND "exit 2\n");
    put_at("sources/odd.h", SOUND "echo; echo 'no mark here' >&2; echo 'nor here'; exit 3\n");
    put_at("sources/dies.h", SOUND "echo 'x.c:1: error: one'; kill -9 $$\n");
    static const struct {
        struct setting s;
        const char *says;
    } table[] = {
        {{gcc, NULL, "k.c", 0}, "k.c:1:2: error: #error the first"},
        {{SCRIPT("ld.h"), NULL, "k.c", 0}, "x.c: undefined reference to `f"},
        {{SCRIPT("ld2.h"), NULL, "k.c", 0}, "x.c: two definitions of f"},
        {{"gcc -std=c11 -fPIC -shared -Wl,-z,defs -o {out} {src}", NULL, "link.c", 0},
         "link.c:(.text+0x5): undefined reference to `missing'"},
        {{SCRIPT("warns.h"), NULL, "k.c", 0}, "k.c:9: error: the one"},
        {{SCRIPT("odd.h"), NULL, "k.c", 0}, "no mark here"},
        {{SCRIPT("mute.h"), NULL, "k.c", 0}, "the compiler failed without a message"},
        {{SCRIPT("dies.h"), NULL, "k.c", 0}, "x.c:1: error: one"},
        {{SCRIPT("other.h"), NULL, "k.f90", 0}, "k.f90:1: Error: not C"},
        {{SCRIPT("none.h"), NULL, "k.c", 0}, "the compile command succeeded but made no library"},
        {{"true", SCRIPT("mute.h"), "k.cpp", 0}, "the compiler failed without a message"},
        {{gcc, NULL, "utf16-0.c", 0}, "utf16-0.c is saved as UTF-16" SAVE_AS_UTF8},
        {{gcc, NULL, "utf16-1.c", 0}, "utf16-1.c is saved as UTF-16" SAVE_AS_UTF8},
        {{gcc, NULL, "utf16-2.c", 0}, "utf16-2.c is saved as UTF-16" SAVE_AS_UTF8},
        {{"true", NULL, "k.cpp", 0}, "k.cpp: this tier takes no C++ source"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(build_free) struct build b = {0};
        struct err e = ERR_INIT;
        if (build(table[i].s, &b, &e) != 0)
            fail_msg("%s: %s", table[i].s.compile, e.text);
        if (b.verdict != VERDICT_BUILD_ERROR || strcmp(b.message, table[i].says) != 0)
            fail_msg("%s: %d, '%s'", table[i].s.compile, b.verdict, b.message);
        assert_null(b.library);
        if (i == 0) {
            assert_non_null(strstr(b.log, "the second"));
        }
    }
}

/* Steps run one after the other, until one fails; the limit is for all of them. */
TEST(steps)
{
    static const char two[] = "gcc -fPIC -Wall -c -o {dir}/k.o {src} && "
                              "gcc -shared -Wl,-z,defs -o {out} {dir}/k.o";
    put_at("sources/k.c", "#warning step one\nint k(void) { return 1; }\n");
    put_at("sources/bad.c", "int k(void) { return 1 }\n");
    put_at("sources/link.c", "int missing(void);\nint k(void) { return missing(); }\n");
    put_at("sources/slow.h", SOUND "sleep 0.2; touch \"$2\"\n");
    put_at("sources/late.h", SOUND "touch late\n");
    put_at("sources/says.h", SOUND "echo 'k.c:1: warning: no error: this one'\n");
    put_at("sources/dies.h", SOUND "echo 'k.ispc:1:1: Warning: slow' >&2; "
                                   "echo 'k.ispc:2:1: Error: wrong' >&2; exit 1\n");
    static const struct {
        struct setting s;
        const char *says, *logs;
    } table[] = {
        {{two, NULL, "k.c", 0}, "", "step one"},
        {{two, NULL, "bad.c", 0},
         "bad.c:1:23: error: expected \xe2\x80\x98;\xe2\x80\x99 before \xe2\x80\x98}\xe2\x80\x99 "
         "token",
         ""},
        {{two, NULL, "link.c", 0}, "link.c:(.text+0x5): undefined reference to `missing'", ""},
        /* What was made of an empty source has the same name. */
        {{"gcc -fPIC -c {src} && gcc -shared -o {out} {dir}/bad.o", NULL, "bad.c", 0},
         "bad.c:1:23: error: expected \xe2\x80\x98;\xe2\x80\x99 before "
         "\xe2\x80\x98}\xe2\x80\x99 token",
         ""},
        {{SCRIPT("says.h") " && " SCRIPT("dies.h") " && " SCRIPT("late.h"), NULL, "k.c", 0},
         "k.ispc:2:1: Error: wrong",
         "no error: this one"},
        {{SCRIPT("slow.h") " && " SCRIPT("slow.h") " && " SCRIPT("late.h"), NULL, "k.c", 300},
         "the compiler ran longer than 0.3 s, the limit for a build",
         ""},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(build_free) struct build b = {0};
        struct err e = ERR_INIT;
        if (build(table[i].s, &b, &e) != 0)
            fail_msg("%s: %s", table[i].s.compile, e.text);
        assert_string_equal(b.message, table[i].says);
        assert_non_null(strstr(b.log, table[i].logs));
        assert_int_equal(b.verdict, *table[i].says ? VERDICT_BUILD_ERROR : VERDICT_PASS);
        assert_false(exists_at("build/src/late"));
    }
    static const struct {
        struct setting s;
        const char *adapter, *says;
    } trouble_of_steps[] = {
        {{"gcc -c {src} -o {dir}/k.o && no-such-linker {out}", NULL, "k.c", 0},
         NULL,
         "the compiler no-such-linker is not installed"},
        /* The command takes one source, but there is an adapter as well. */
        {{two, NULL, "k.c", 0}, "sources/link.c", "with multiple files"},
    };
    for (size_t i = 0; i < sizeof trouble_of_steps / sizeof trouble_of_steps[0]; i++) {
        FREED_BY(build_free) struct build b = {0};
        struct err e = ERR_INIT;
        if (build_with(trouble_of_steps[i].s, trouble_of_steps[i].adapter, &b, &e) != -1 ||
            !strstr(e.text, trouble_of_steps[i].says))
            fail_msg("%s", e.text);
    }
}

/* Further sources and an adapter are compiled with the source; other files are not. */
TEST(several)
{
    static const char command[] = "gcc -std=c11 -fPIC -shared -Wl,-z,defs -I{dir} -o {out} {src}";
    put_at("sources/k.c", "#include \"lib/inner/part.h\"\nint k(void)\n{\n    return part();\n}\n");
    put_at("sources/lib/inner/part.h", "int part(void);\n");
    put_at("sources/lib/part.c",
           "#include \"inner/part.h\"\nint part(void)\n{\n    return 1;\n}\n");
    put_at("sources/lib/inner/other.c", "#error not this one\n");
    put_at("sources/main.c", "#error nor this one\n");
    put_at("sources/paragrade_adapter.c", "#error nor this one\n");
    put_at(
        "adapter.c",
        "extern int k(void);\nextern int kernel(void);\nint kernel(void)\n{\n    return k();\n}\n");
    put_at("broken.c", "#error of the instructor\n");
    struct build b;
    struct err e = ERR_INIT;
    if (build_with((struct setting){command, NULL, "k.c", 0}, "adapter.c", &b, &e) != 0)
        fail_msg("%s", e.text);
    assert_string_equal(b.message, "");
    assert_int_equal(b.verdict, VERDICT_PASS);
    assert_non_null(strstr(b.command, " k.c lib/part.c paragrade_adapter.c"));
    build_free(&b);
    assert_int_equal(build_with((struct setting){command, NULL, "k.c", 0}, "broken.c", &b, &e), 0);
    assert_int_equal(b.verdict, VERDICT_BUILD_ERROR);
    assert_non_null(strstr(b.message, "paragrade_adapter.c:1"));
    build_free(&b);
    assert_int_equal(build_with((struct setting){command, NULL, "k.c", 0}, "none.c", &b, &e), -1);
    assert_non_null(strstr(e.text, "none.c"));
    assert_int_equal(e.kind, ERR_SYSTEM);
    build_free(&b);
    put_at("sources/util.cpp", "int util;\n");
    assert_int_equal(build_with((struct setting){command, NULL, "k.c", 0}, NULL, &b, &e), 0);
    assert_string_equal(b.message, "util.cpp: this tier takes no C++ source");
    build_free(&b);
}

TEST(endless)
{
    put_at("sources/k.c", "int x;");
    put_at("sources/loop.h", SOUND "echo 'k.c:1: error: so far'; while :; do echo more; done\n");
    static const char *const commands[] = {"sleep 100", SCRIPT("loop.h")};
    for (size_t i = 0; i < 2; i++) {
        FREED_BY(build_free) struct build b = {0};
        struct err e = ERR_INIT;
        uint64_t start = clock_mono_ns();
        assert_int_equal(build((struct setting){commands[i], NULL, "k.c", 50}, &b, &e), 0);
        assert_true(clock_mono_ns() - start < UINT64_C(30000000000));
        assert_int_equal(b.verdict, VERDICT_BUILD_ERROR);
        assert_string_equal(b.message,
                            "the compiler ran longer than 0.05 s, the limit for a build");
        assert_true(b.seconds >= 0.05);
        assert_in_range(strlen(b.log), i ? 10 : 0, i ? 24000 : 0);
    }
}

/* The end that the grader makes says nothing about the source. */
TEST(stopped)
{
    FREED_BY(build_free) struct build b = {0};
    struct err e = ERR_INIT;
    put_at("sources/k.c", "int x;");
    proctor_stop = 1;
    const int rc = build((struct setting){"sleep 5", NULL, "k.c", 0}, &b, &e);
    proctor_stop = 0;
    assert_int_equal(rc, -1);
    assert_string_equal(e.text, "the grader was told to stop");
}

/* A compiler that gets a tenth of a core may take ten times as long. */
TEST(busy_node)
{
    enum { OTHERS = 9, LIMIT_MS = 1500, ALONE_MOST_S = 60 };
    cpu_set_t all, one;
    pid_t other[OTHERS];
    CPU_ZERO(&one);
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    put_at("sources/k.c", "int x;");
    /* A child of the compiler works for a few tenths of a second. */
    put_at("sources/work.h", SOUND "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'\n"
                                   "exec touch \"$2\"\n");
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    for (int i = 0; i < OTHERS; i++) {
        other[i] = fork();
        if (other[i] == 0)
            alarm(ALONE_MOST_S);
        while (other[i] == 0)
            ;
    }
    FREED_BY(build_free) struct build b = {0};
    struct err e = ERR_INIT;
    int rc = build((struct setting){SCRIPT("work.h"), NULL, "k.c", LIMIT_MS}, &b, &e);
    for (int i = 0; i < OTHERS; i++) {
        kill(other[i], SIGKILL);
        waitpid(other[i], NULL, 0);
    }
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_int_equal(rc, 0);
    if (b.seconds * 1000 < LIMIT_MS)
        print_message("the compiler took %.2f s only\n", b.seconds);
    assert_string_not_equal(b.message, "the compiler ran longer than 1.5 s, the limit for a build");
}

/* A compiler does what its source says: it may write where it builds, and read what it was given.
 */
TEST(confined)
{
    if (protection_landlock_version() < 1) {
        print_message("this kernel has no Landlock\n");
        skip();
    }
    put_at("secret", "plan");
    put_at("sources/k.c", "int x;");
    OWNED char *script = xasprintf(SOUND "echo inside >../note; cat %s/secret; cat %s/sources/k.c; "
                                         "echo bad >%s/sources/made; rm %s/secret; "
                                         "echo done >&2; exit 1\n",
                                   test_dir, test_dir, test_dir, test_dir);
    put_at("sources/try.h", script);
    FREED_BY(build_free) struct build b = {0};
    struct err e = ERR_INIT;
    assert_int_equal(build((struct setting){SCRIPT("try.h"), NULL, "k.c", 0}, &b, &e), 0);
    assert_non_null(strstr(b.log, "done"));
    assert_null(strstr(b.log, "plan"));
    assert_null(strstr(b.log, "int x"));
    assert_true(exists_at("build/note"));
    assert_true(exists_at("secret"));
    assert_false(exists_at("sources/made"));
}

/* --- what it takes ---------------------------------------------------------------------------- */

TEST(compiles)
{
    put_at("sources/k.c",
           "#include \"mine.h\"\n#warning but only that\nint f(void) { return MINE; }\n");
    put_at("sources/mine.h", "#define MINE 7\n");
    put_at("sources/other.c", "#error not asked for\n");
    put_at("sources/notes.txt", "");
    struct build b;
    struct err e = ERR_INIT;
    if (build((struct setting){gcc, NULL, "k.c", 0}, &b, &e) != 0)
        fail_msg("%s", e.text);
    assert_int_equal(b.verdict, VERDICT_PASS);
    assert_string_equal(b.message, "");
    assert_non_null(strstr(b.log, "but only that"));
    assert_non_null(strstr(b.compiler, "gcc"));
    assert_null(strchr(b.compiler, '\n'));
    assert_true(b.seconds > 0);

    char *library = at("build/kernel.so"), *source = at("sources/k.c"), *elf, hash[DIGEST_HEX];
    OWNED char *abi = install_path("include/paragrade");
    OWNED char *command = xasprintf("gcc -std=c11 -fPIC -shared -I%s -o %s k.c", abi, library);
    assert_string_equal(b.library, library);
    assert_string_equal(b.command, command);
    assert_int_equal(fs_read(library, 1 << 20, &elf, NULL, NULL), 0);
    assert_memory_equal(elf, "\177ELF", 4);
    assert_int_equal(digest_file(source, hash, NULL), 0);
    assert_string_equal(b.source_hash, hash);
    assert_true(exists_at("build/src/mine.h"));
    assert_false(exists_at("build/src/other.c"));
    assert_false(exists_at("build/src/notes.txt"));
    free(elf);
    free(source);
    free(library);
    build_free(&b);
    build_free(&b); /* harmless */
}

/* Words at the end of the steps that run the compiler; what is forbidden was looked for before. */
TEST(appended)
{
    char low[] = "-O0", all[] = "-Wall", *const words[] = {low, all, NULL};
    struct build b = {0};
    struct err e = ERR_INIT;
    put_at("sources/a.c", "int f(void) { int unused; return 1; }\n"
                          "__attribute__((constructor)) void g(void) {}\n");
    const struct setting s = {.compile = "gcc -O3 -fPIC -c {src} -o a.o && true a.o && "
                                         "gcc -O3 -shared a.o -o {out}",
                              .source = "a.c"};
    more_words = words;
    assert_int_equal(build(s, &b, &e), 0);
    assert_int_equal(b.verdict, VERDICT_PASS);
    assert_non_null(strstr(b.command, "a.c -o a.o -O0 -Wall && true a.o && gcc "));
    assert_string_equal(b.command + strlen(b.command) - strlen(" -O0 -Wall"), " -O0 -Wall");
    assert_non_null(strstr(b.log, "unused"));
    build_free(&b);
    /* Where the compiler does not take them, it is a build error, and no trouble of the node. */
    char odd[] = "--odd", *const wrong[] = {odd, NULL};
    const struct setting t = {.compile = "gcc -shared -fPIC -o {out} {src}", .source = "a.c"};
    more_words = wrong;
    assert_int_equal(build(t, &b, &e), 0);
    assert_int_equal(b.verdict, VERDICT_BUILD_ERROR);
    build_free(&b);
    more_words = NULL;
}

/* Changes of the compiler's options that no text contains, or that hide while they are looked for.
 */
TEST(hidden_options)
{
    static const struct {
        const char *source, *adapter, *header, *says; /* says: "": nothing */
    } table[] = {
        {"#include <sys/cdefs.h>\n__attribute__((__CONCAT(opti,mize)(3))) int f(void);\n", "", "",
         "k.c:2: the attribute optimize, which a macro makes"},
        {"#if !__has_include(\"../kernel.so\")\n#define J(a, b) a##b\n"
         "__attribute__((J(opti,mize)(3))) int f(void);\n#endif\n",
         "", "", "k.c:3: the attribute optimize, which a macro makes"},
        {"#include \"k.h\"\n", "",
         "#define J(a, b) a##b\n__attribute__((J(tar,get)(\"avx\"))) int f(void);",
         "k.h:2: the attribute target, which a macro makes"},
        {"int f(void);\n", "#include \"k.h\"\n",
         "#define J(a, b) a##b\n__attribute__((J(tar,get)(\"avx\"))) int f(void);",
         "k.h:2: the attribute target, which a macro makes"},
        {"int f(void);\n", "#define J(a, b) a##b\n__attribute__((J(opti,mize)(3))) int g(void);\n",
         "", ""},
        {"#include <immintrin.h>\n#define X int f(void);\nX\n", "", "", ""},
    };
    pragmas = PRAGMAS_FORBID;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(build_free) struct build b = {0};
        struct err e = ERR_INIT;
        put_at("sources/k.c", table[i].source);
        put_at("sources/k.h", table[i].header);
        put_at("adapter.c", table[i].adapter);
        assert_int_equal(build_with((struct setting){gcc, NULL, "k.c", 0}, "adapter.c", &b, &e), 0);
        const char *says = table[i].says;
        if (strncmp(b.message, says, strlen(says)) != 0 ||
            b.verdict != (*says ? VERDICT_FORBIDDEN : VERDICT_PASS))
            fail_msg("%s: %s", table[i].source, b.message);
    }
    pragmas = PRAGMAS_ALLOW;
}

TESTS_WITH(fresh, NULL, test_dir_make, test_dir_remove)
