#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void fill(struct err *e, enum err_kind kind, const char *fmt, va_list ap)
{
    if (!e)
        return;
    e->kind = kind;
    e->file_error = 0;
    vsnprintf(e->text, sizeof e->text, fmt, ap);
}

int err_input(struct err *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(e, ERR_INPUT, fmt, ap);
    va_end(ap);
    return -1;
}

int err_system(struct err *e, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    fill(e, ERR_SYSTEM, fmt, ap);
    va_end(ap);
    return -1;
}

int err_file(struct err *e, enum err_kind kind, const char *path, int error)
{
    if (!e)
        return -1;
    *e = (struct err){.kind = kind, .file_error = error};
    snprintf(e->text, sizeof e->text, "%s: %s", path, strerror(error));
    return -1;
}

int err_context(struct err *e, const char *fmt, ...)
{
    if (!e)
        return -1;
    char old[sizeof e->text];
    memcpy(old, e->text, sizeof old);
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(e->text, sizeof e->text, fmt, ap);
    va_end(ap);
    if (n >= 0 && (size_t)n < sizeof e->text)
        snprintf(e->text + n, sizeof e->text - (size_t)n, ": %s", old);
    return -1;
}
