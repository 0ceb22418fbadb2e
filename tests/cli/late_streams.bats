#!/usr/bin/env bats
# late-streams.so, with a runtime that only says which streams are to begin late. What comes of it on
# a GPU is in ../gpu/sanitizer.bats.

load ../helpers/common

setup_file() {
    cd "$BATS_FILE_TMPDIR" || return 1
    cat >runtime.c <<'C'
#include <stdio.h>
static long last = 100;
static int make(void **s) { return *s = (void *)++last, 0; }
int cudaStreamCreate(void **s) { return make(s); }
int cudaStreamCreateWithFlags(void **s, unsigned f) { return (void)f, make(s); }
int cudaStreamCreateWithPriority(void **s, unsigned f, int p) { return (void)f, (void)p, make(s); }
int cudaStreamDestroy(void *s) { return printf("gone %ld\n", (long)s), 0; }
int cudaLaunchHostFunc(void *s, void (*f)(void *), void *x) { return f(x), printf("late %ld\n", (long)s), 0; }
C
    cat >program.c <<'C'
#include <dlfcn.h>
#include <stdio.h>
int cudaStreamCreate(void **), cudaStreamCreateWithFlags(void **, unsigned);
int cudaStreamCreateWithPriority(void **, unsigned, int), cudaStreamDestroy(void *);
int main(void)
{
    void *given, *one, *two;
    void (*before_call)(void *);
    *(void **)&before_call = dlsym(RTLD_DEFAULT, "paragrade_before_call");
    cudaStreamCreate(&given);
    puts("call");
    before_call(given);
    cudaStreamCreateWithFlags(&one, 1);
    cudaStreamCreateWithPriority(&two, 1, 0);
    puts("call");
    before_call(given);
    cudaStreamDestroy(one);
    puts("call");
    before_call(given);
    return 0;
}
C
    gcc -shared -fPIC -o libruntime.so runtime.c
    gcc -o program program.c -L. -lruntime -ldl -Wl,-rpath,"$PWD"
}

setup() { cd "$BATS_FILE_TMPDIR" || return 1; }

late() { # given|others
    run -0 env PARAGRADE_LATE="$1" \
        LD_PRELOAD="$REPO/${PARAGRADE_BUILD:-build}/libexec/paragrade/late-streams.so" ./program
}

@test "late streams: the student's begin late when they are created, and before each call" {
    late others
    assert_output "late 101
call
late 2
late 102
late 103
call
late 102
late 103
late 2
gone 102
call
late 103
late 2"
}

@test "late streams: the given one, and no other" {
    late given
    assert_output "call
late 101
call
late 101
gone 102
call
late 101"
}
