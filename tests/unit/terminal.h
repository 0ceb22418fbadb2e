/*
 * terminal.h - pseudo-terminals and what was written to a file, for tests of what people see.
 * Include it after "unit.h".
 */
#ifndef TESTS_UNIT_TERMINAL_H
#define TESTS_UNIT_TERMINAL_H

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/term.h"

/* What a file holds that was opened for reading and writing. */
static inline char *contents(FILE *f)
{
    struct strbuf sb = STRBUF_INIT;
    char buf[1000];
    rewind(f);
    for (size_t n; (n = fread(buf, 1, sizeof buf, f)) > 0;)
        strbuf_add(&sb, buf, n);
    fclose(f);
    return strbuf_detach(&sb);
}

static inline int by_default(void **arg)
{
    term_set_color(TERM_COLOR_AUTO);
    unsetenv("NO_COLOR");
    setenv("TERM", "xterm", 1);
    return 0;
}

/* A terminal: what is written to the file returned can be read from *master; or NULL. */
static inline FILE *terminal(int *master)
{
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    char name[100];
    if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0 ||
        ptsname_r(*master, name, sizeof name) != 0)
        return NULL;
    int fd = open(name, O_RDWR | O_NOCTTY);
    return fd < 0 ? NULL : fdopen(fd, "r+");
}

static inline FILE *terminal_or_skip(int *master)
{
    FILE *tty = terminal(master);
    if (!tty) {
        if (*master >= 0)
            close(*master);
        print_message("no pseudo-terminals here\n");
        skip();
    }
    return tty;
}

#endif
