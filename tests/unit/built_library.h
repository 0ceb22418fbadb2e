/*
 * built_library.h - a library that gcc builds in the directory of a test program, for
 * TESTS(setup, teardown). Include it after "unit.h".
 */
#ifndef TESTS_UNIT_BUILT_LIBRARY_H
#define TESTS_UNIT_BUILT_LIBRARY_H

#include <string.h>

#include "base/fsio.h"
#include "base/proc.h"
#include "base/strbuf.h"

#include "test_dir.h"

static char *library, *source; /* paths */

static inline void build(const char *flags, const char *text)
{
    assert_int_equal(fs_write_atomic(source, text, strlen(text), NULL), 0);
    OWNED char *line = xasprintf("gcc -w -fPIC -shared %s -o %s %s", flags, library, source);
    OWNED_TEXTS char **argv = proc_argv_split(line);
    struct proc_spec spec = {.argv = argv, .output_max = 4096};
    FREED_BY(proc_result_free) struct proc_result r = {0};
    assert_int_equal(proc_run(&spec, &r, NULL), 0);
    if (!proc_ok(&r))
        fail_msg("%s", r.err.s);
}

static inline int setup(void **arg)
{
    if (test_dir_make(arg) != 0)
        return -1;
    library = at("kernel.so");
    source = at("k.c");
    return 0;
}

static inline int teardown(void **arg)
{
    free(library);
    free(source);
    return test_dir_remove(arg);
}

#endif
