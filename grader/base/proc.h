/*
 * proc.h - run another program from an argument vector; never through a shell.
 */
#ifndef BASE_PROC_H
#define BASE_PROC_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strbuf.h"

struct proc_spec {
    char *const *argv; /* NULL-terminated; argv[0] is looked up on PATH */
    char *const *env;  /* NULL: inherit */
    const char *cwd;   /* NULL: inherit */
    const char *input; /* given on stdin; NULL: /dev/null */
    size_t output_max; /* bytes kept of stdout and of stderr; the rest is read and dropped */
    int timeout_ms;    /* 0: none. On expiry the whole process group is killed */
    /* How long the program has waited for a core since this was last asked, ns. The expiry is put
     * off by this time. NULL: it is not put off. */
    uint64_t (*held_up)(pid_t pid, void *arg);
    void *held_up_arg;
    /* Called every few milliseconds while the program runs. It may stop the program's process group
     * and continue it. Returns for how long it was stopped, ns; the expiry is put off by this time.
     * NULL: it is not called. */
    uint64_t (*give_way)(pid_t group, void *arg);
    void *give_way_arg;
    /* Called with all of stderr so far, whenever there is more of it. NULL: it is not called. */
    void (*said)(const char *err, void *arg);
    void *said_arg;
    /* Once a signal handler sets this, as if the time had expired. NULL: it is not looked at. */
    const volatile sig_atomic_t *stop;
    /* Called in the child just before exec (may be NULL): set limits there. Must be
     * async-signal-safe. */
    void (*prepare)(void *arg);
    void *prepare_arg;
};

struct proc_result {
    int status; /* as waitpid() gives it */
    bool timed_out;
    uint64_t held_up_ns;  /* by how much the expiry was put off */
    uint64_t gave_way_ns; /* for how long it was stopped */
    bool truncated;       /* some output was dropped */
    struct strbuf out;
    struct strbuf err;
};

/* Run to completion. Returns 0 when the program was started and reaped, whatever its status; -1
 * when it could not be started. If this process dies meanwhile, the program gets SIGTERM; programs
 * that it has started do not. The caller frees *r with proc_result_free() in both cases. */
int proc_run(const struct proc_spec *spec, struct proc_result *r, struct err *e);
void proc_result_free(struct proc_result *r);
/* True when the program exited with status 0. */
bool proc_ok(const struct proc_result *r);
/* "exit status 3", "killed by signal 11 (Segmentation fault)", "timed out". */
void proc_describe(const struct proc_result *r, char *out, size_t cap);

/* Set PATH if the caller has none: gcc finds its own parts by it. */
void proc_default_path(void);
/* A program's path looked up on PATH, or NULL; the caller frees it. */
char *proc_which(const char *name);

/* When a process started, in clock ticks since boot. 0: it is gone, or a zombie. */
unsigned long long proc_start_time(long pid);

/* Split a command line at white space into a NULL-terminated vector; no quoting, no expansion.
 * Free with proc_argv_free(). */
char **proc_argv_split(const char *line);
void proc_argv_free(char **argv);

/* Such a vector while it grows. {0}: empty, and `word` is NULL. */
struct proc_argv {
    char **word; /* free with proc_argv_free() */
    size_t count;
};
/* Append a word, which the vector frees. */
void proc_argv_push(struct proc_argv *v, char *word);

#endif
