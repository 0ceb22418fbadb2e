/* From the text of /proc/<pid>/maps to whether C still has its guards: the broken ones first. */
#include "unit.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/protocol.h"
#include "supervise/guards.h"

#define FILE_AT(from, to) from "-" to " rw-s 00000000 00:01 4711 /memfd:C (deleted)\n"
#define NONE_AT(from, to) from "-" to " ---p 00000000 00:00 0 \n"
#define HEAP_AT(from, to) from "-" to " rw-p 00000000 00:00 0 \n"
/* Of 64 KiB each, as a driver makes them. */
#define BEFORE NONE_AT("10000", "20000")
#define C FILE_AT("20000", "22000")
#define AFTER NONE_AT("22000", "32000")
#define VSYSCALL "ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n"

static const char *name_of(enum guards g)
{
    static const char *const names[] = {"intact", "changed", "hidden", "unknown"};
    return names[g];
}

TEST(texts)
{
    static const struct {
        const char *name, *maps;
        enum guards wanted;
    } rows[] = {
        {"nothing", "", GUARDS_UNKNOWN},
        {"no mappings at all", "no such thing\n", GUARDS_UNKNOWN},
        {"cut off", BEFORE C "22000-32000 ---p 00000", GUARDS_UNKNOWN},
        {"no number of the file", BEFORE "20000-22000 rw-s 00000000 00:01\n" AFTER, GUARDS_UNKNOWN},
        {"a mapping that ends before it starts", BEFORE FILE_AT("22000", "20000") AFTER,
         GUARDS_UNKNOWN},
        {"out of order", C BEFORE AFTER, GUARDS_UNKNOWN},
        {"C is not mapped", BEFORE AFTER, GUARDS_CHANGED},
        {"another file", BEFORE "20000-22000 rw-s 00000000 00:01 4712 /memfd:C (deleted)\n" AFTER,
         GUARDS_CHANGED},
        {"the same number on another device",
         BEFORE "20000-22000 rw-s 00000000 08:01 4711 /C\n" AFTER, GUARDS_CHANGED},
        {"no guards", C, GUARDS_CHANGED},
        {"none before", C AFTER, GUARDS_CHANGED},
        {"none after", BEFORE C, GUARDS_CHANGED},
        {"a hole instead", BEFORE C HEAP_AT("32000", "33000"), GUARDS_CHANGED},
        {"a hole between", NONE_AT("f000", "1f000") C AFTER, GUARDS_CHANGED},
        {"a hole between, behind", BEFORE C NONE_AT("23000", "33000"), GUARDS_CHANGED},
        {"memory instead", BEFORE C HEAP_AT("22000", "32000"), GUARDS_CHANGED},
        {"one page of it opened", BEFORE C HEAP_AT("22000", "23000") NONE_AT("23000", "32000"),
         GUARDS_CHANGED},
        {"its last page opened", BEFORE C NONE_AT("22000", "31000") HEAP_AT("31000", "32000"),
         GUARDS_CHANGED},
        {"its first page opened, in front",
         HEAP_AT("10000", "11000") NONE_AT("11000", "20000") C AFTER, GUARDS_CHANGED},
        {"readable", BEFORE C "22000-32000 r--p 00000000 00:00 0 \n", GUARDS_CHANGED},
        {"shared", BEFORE C "22000-32000 ---s 00000000 00:01 9 /dev/zero\n", GUARDS_CHANGED},
        {"a file without access", BEFORE C "22000-32000 ---p 00000000 08:01 9 /f\n",
         GUARDS_CHANGED},
        {"half of C replaced", BEFORE FILE_AT("20000", "21000") HEAP_AT("21000", "22000") AFTER,
         GUARDS_CHANGED},
        {"a second C without guards", BEFORE C AFTER FILE_AT("40000", "42000"), GUARDS_CHANGED},
        {"as the driver makes it", BEFORE C AFTER, GUARDS_INTACT},
        {"among others",
         "5000-6000 r-xp 00000000 08:01 12 /usr/lib/a name with blanks\n" BEFORE C AFTER HEAP_AT(
             "32000", "33000") VSYSCALL,
         GUARDS_INTACT},
        {"guards that have grown together with others",
         NONE_AT("8000", "20000") C NONE_AT("22000", "52000"), GUARDS_INTACT},
        {"in pieces, after madvise()",
         NONE_AT("10000", "18000") NONE_AT("18000", "20000") FILE_AT("20000", "21000")
             FILE_AT("21000", "22000") NONE_AT("22000", "23000") NONE_AT("23000", "32000"),
         GUARDS_INTACT},
        {"a read-only piece of C",
         BEFORE "20000-21000 r--s 00000000 00:01 4711 /memfd:C (deleted)\n" FILE_AT("21000",
                                                                                    "22000") AFTER,
         GUARDS_INTACT},
        {"two with one guard between",
         BEFORE C AFTER FILE_AT("32000", "33000") NONE_AT("33000", "43000"), GUARDS_INTACT},
    };
    static const struct mapped_file f = {0, 1, 4711};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        enum guards g = guards_judge(rows[i].maps, &f);
        if (g != rows[i].wanted)
            fail_msg("%s: %s instead of %s", rows[i].name, name_of(g), name_of(rows[i].wanted));
    }
}

/* Names of files are long, and mappings are many. */
TEST(large)
{
    enum { MAPPINGS = 60000, NAME = 4000, LINE = 64 };
    static const struct mapped_file f = {0, 1, 4711};
    char *text = calloc(1, (size_t)MAPPINGS * LINE + NAME + sizeof BEFORE C AFTER + LINE),
         *p = text;
    assert_non_null(text);
    p += sprintf(p, BEFORE C AFTER "32000-33000 r--p 00000000 08:01 9 /%0*d\n", NAME, 0);
    for (unsigned long i = 0x100; i < 0x100 + MAPPINGS; i++)
        p += sprintf(p, "%lx000-%lx000 rw-p 00000000 00:00 0 \n", i, i + 1);
    assert_int_equal(guards_judge(text, &f), GUARDS_INTACT);
    free(text);
}

/* What the kernel of the system really says. */
TEST(processes)
{
    const size_t page = 4096, bytes = 4 * page, guard = PG_GUARD;
    int fd = memfd_create("C", MFD_CLOEXEC), other = memfd_create("C", MFD_CLOEXEC);
    assert_true(fd >= 0 && other >= 0 && ftruncate(fd, (off_t)bytes) == 0);
    assert_int_equal(guards_check(getpid(), fd), GUARDS_CHANGED);
    unsigned char *base = mmap(NULL, bytes + 2 * guard, PROT_NONE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(base, MAP_FAILED);
    unsigned char *c =
        mmap(base + guard, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0);
    assert_ptr_not_equal(c, MAP_FAILED);
    assert_int_equal(guards_check(getpid(), fd), GUARDS_INTACT);
    assert_int_equal(guards_check(getpid(), other), GUARDS_CHANGED);
    assert_int_equal(guards_check(0x7ffffff0, fd), GUARDS_UNKNOWN); /* no such process */
    assert_int_equal(guards_check(getpid(), -1), GUARDS_UNKNOWN);
    madvise(c + page, page, MADV_DONTFORK); /* in pieces */
    madvise(c + bytes, guard / 2, MADV_DONTFORK);
    assert_int_equal(guards_check(getpid(), fd), GUARDS_INTACT);
    assert_int_equal(mprotect(c + bytes, page, PROT_READ | PROT_WRITE), 0);
    assert_int_equal(guards_check(getpid(), fd), GUARDS_CHANGED);
    munmap(base, bytes + 2 * guard);
    close(fd);
    close(other);
}

/* A process that hides its mappings is told apart from one that has ended. Root sees them anyway.
 */
TEST(hidden)
{
    fflush(NULL);
    pid_t checks = fork();
    if (checks == 0) {
        int told[2], fd = memfd_create("C", MFD_CLOEXEC);
        char c;
        if ((geteuid() == 0 && setuid(12345) != 0) || pipe(told) != 0)
            _exit(100);
        pid_t hides = fork();
        if (hides == 0) {
            alarm(60);
            prctl(PR_SET_DUMPABLE, 0);
            if (write(told[1], "", 1) != 1)
                _exit(1);
            for (;;)
                pause();
        }
        if (read(told[0], &c, 1) != 1)
            _exit(101);
        enum guards g = guards_check(hides, fd);
        kill(hides, SIGKILL);
        waitpid(hides, NULL, 0);
        _exit((int)g);
    }
    int status;
    assert_int_equal(waitpid(checks, &status, 0), checks);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), GUARDS_HIDDEN);
}

TESTS(NULL, NULL)
