/* The reason of a build error, and compilers that were killed, from what compilers print. */
#include "base/strbuf.h"
#include "unit.h"

#include <signal.h>

#include <stdlib.h>
#include <string.h>

#include "build/compiler_log.h"

TEST(reasons)
{
    static const struct {
        const char *log, *reason;
    } table[] = {
        {"", "the compiler failed without a message"},
        {"a.c:1:2: warning: unused variable 'error'\na.c:2:3: error: no\n", "a.c:2:3: error: no"},
        {"a.c:1:2: warning: unused 'error_code'\nld: cannot find -lx, an error\n",
         "ld: cannot find -lx, an error"},
        {"a.c:1:2: warning: #warning error: mine\na.c:7:1: fatal error: x.h: No such file\n",
         "a.c:7:1: fatal error: x.h: No such file"},
        {"a.c:1:2: note: error: no\n", "the compiler failed without a message"},
        {"a.c:1:2: warning: x\n    1 | int x;\n      |     ^\ncc: no mark here\n",
         "cc: no mark here"},
        {"warnings.h:1:2: error: yes\n", "warnings.h:1:2: error: yes"},
        {"ld: no room\ncollect2: error: ld returned 1 exit status\n", "ld: no room"},
        {"collect2: error: ld returned 1 exit status\n",
         "collect2: error: ld returned 1 exit status"},
        {"a.f90:9:1:\n\n    9 | x\nWarning: w\na.f90:3:5:\n\n    3 |  x =\n      |     1\nError: "
         "no at (1)\n",
         "a.f90:3:5: Error: no at (1)"},
        {"Error: alone\n", "Error: alone"},
        {"a.c: error: first\nx: undefined reference to `f'\n", "x: undefined reference to `f'"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *reason = compiler_log_reason(table[i].log);
        assert_string_equal(reason, table[i].reason);
    }
}

#define KILLED "gcc: fatal error: Killed signal terminated program cc1\n"

TEST(kills)
{
    static const struct {
        const char *log;
        bool killed;
    } table[] = {
        {"", false},
        {KILLED "compilation terminated.\n", true},
        {"a.c:1:2: warning: unused 'x'\n" KILLED, true},
        {"collect2: fatal error: ld terminated with signal 9 [Killed]\n", true},
        {"nvcc error   : 'cicc' died due to signal 9 (Kill signal)\n", true},
        /* Sources can say so, too. */
        {"a.c:1:2: error: #error " KILLED, false},
        {"a.c:1:2: error: #error x\n    1 | #error " KILLED, false},
        {"a.c:1:9: error: x\n" KILLED, false}, /* a pragma with a new line */
        {"a.c:1:9: note: '#pragma message: x\n" KILLED "a.c:3:1: error: y\n", false},
        {"a.c(3): error: x\n" KILLED, false}, /* nvcc */
        {"a.s: Assembler messages:\na.s:1: Error: x\n" KILLED, false},
        {KILLED "a.c:2: undefined reference to `f'\ncollect2: error: ld returned 1 exit status\n",
         false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (compiler_log_ended_by(table[i].log, SIGKILL) != table[i].killed)
            fail_msg("row %zu", i);
}

TEST(warnings)
{
    static const char log[] =
        "a.c: In function 'f':\n"
        "/tmp/x/a.c:3:9: warning: unused variable 'x' [-Wunused-variable]\n"
        "    3 | int x; // warning: mine [-Wuninitialized]\n"
        "a.c:7:1: warning: ignoring '#pragma opm parallel' [-Wunknown-pragmas]\n"
        "a.c:9:2: note: 'sum' was declared here\n"
        "a.c:9:2: warning: 'sum' may be used uninitialized [-Wmaybe-uninitialized]\n"
        "cc1: warning: no place\n"
        "a.c:8:1: error: warning: x [-Wuninitialized]\n";
    static const char *const wrong[] = {"a.c:7: ignoring '#pragma opm parallel'",
                                        "a.c:9: 'sum' may be used uninitialized", NULL},
                             *const others[] = {"a.c:3: unused variable 'x'", NULL};
    for (int about = 0; about < 2; about++) {
        const char *at = log, *const *want = about ? wrong : others;
        for (; *want; want++) {
            OWNED char *is = compiler_log_warning(&at, about);
            assert_non_null(is);
            assert_string_equal(is, *want);
        }
        assert_null(compiler_log_warning(&at, about));
    }
}

TEST(missing_returns)
{
    static const char log[] =
        "a.c:3:1: warning: control reaches end of non-void function [-Wreturn-type]\n"
        "/x/s.cpp:5:1: warning: no return statement in function returning non-void "
        "[-Wreturn-type]\n"
        "s.cpp:6:1: warning: unused variable 'x' [-Wunused-variable]\n"
        "/x/s.cpp:99:1: warning: control reaches end of non-void function [-Wreturn-type]\n";
    const char *at = log;
    OWNED char *says = compiler_log_missing_returns(log), *c = compiler_log_warning(&at, true);
    assert_non_null(says);
    assert_ptr_equal(strstr(says, "s.cpp:5, s.cpp:99: no return in a function with a type"), says);
    assert_string_equal(c, "a.c:3: control reaches end of non-void function");
    assert_null(compiler_log_warning(&at, true));
    assert_null(compiler_log_missing_returns("s.cpp:6:1: warning: x [-Wunused-variable]\n"));
}

TESTS(NULL, NULL)
