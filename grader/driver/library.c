#include <dlfcn.h>
#include <stdio.h>

#include "driver/driver.h"

void *library_symbol(const char *library, const char *symbol, char *text, size_t cap)
{
    /* Deep: a helper called send or index is the student's own, not the C library's. */
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!handle) {
        snprintf(text, cap, "%s", dlerror());
        return NULL;
    }
    void *function = dlsym(handle, symbol);
    if (!function)
        snprintf(text, cap, "the library does not define the function %s", symbol);
    return function;
}
