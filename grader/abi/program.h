/*
 * program.h - for adapters: run a student's whole program, as often as needed, in one process.
 *
 * Include it in the adapter only: it defines functions, so only one source may include it. The
 * compile command needs -Wl,-Bsymbolic,--wrap=exit.
 *
 *   program_reset()   gives all global variables of the library, also the adapter's, the values
 *                     that they had at the first call of it, as if the program had just been
 *                     started. What the program has allocated and not freed stays. Call it first.
 *   program_run()     calls the student's main: `main` of this library, under another name for the
 *                     same symbol. (-Dmain=... would not do: only main may end without return.) It
 *                     comes back when main returns or calls exit(), and returns the status. In
 *                     another thread, exit() ends the process. Handlers of atexit() do not run.
 *   program_running   1 while this thread is in program_run(), else 0.
 */
#ifndef PARAGRADE_PROGRAM_H
#define PARAGRADE_PROGRAM_H

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

int program_main(int argc, char **argv) __asm__("main");
void __real_exit(int status) __attribute__((noreturn));
void __wrap_exit(int status) __attribute__((noreturn));

/* All variables of a library, with and without initial values, lie between these symbols, which
 * compiler and linker define. */
extern char program_data[] __asm__("__dso_handle") __attribute__((visibility("hidden")));
extern char program_data_end[] __asm__("_end") __attribute__((visibility("hidden")));

static __thread int program_running; /* variables of threads lie elsewhere */
static __thread int program_status;
static __thread jmp_buf program_end;

/* A loop, because a sanitizer would look at what memcpy() does here. */
__attribute__((no_sanitize_address, no_sanitize_thread)) static void
program_copy(char *to, const char *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = from[i];
}

static void program_reset(void)
{
    static char *first; /* the variables before the first call */
    char *kept = first;
    const size_t n = (uintptr_t)program_data_end - (uintptr_t)program_data;
    if (kept) {
        program_copy(program_data, kept, n);
    } else {
        kept = (char *)malloc(n);
        if (!kept)
            abort();
        program_copy(kept, program_data, n);
    }
    first = kept;
}

static int program_run(int argc, char **argv)
{
    program_running = 1;
    if (setjmp(program_end) == 0)
        program_status = program_main(argc, argv);
    program_running = 0;
    return program_status;
}

void __wrap_exit(int status)
{
    if (!program_running)
        __real_exit(status);
    program_status = status;
    longjmp(program_end, 1);
}

#ifdef __cplusplus
}
#endif

#endif
