#include "build/sanitizer_preload.h"

#include "base/strbuf.h"
#include "build/elf_image.h"

/* AddressSanitizer looks for functions of C++ when it is loaded, so their library comes with it. */
char *sanitizer_preload(const char *library)
{
    struct elf_image m;
    struct err ignored = ERR_INIT;
    if (elf_map(library, &m, &ignored) != 0)
        return NULL;
    const char *address = m.bytes ? elf_needed(&m, "libasan.so", 0) : NULL;
    const char *cxx = address ? elf_needed(&m, "libstdc++.so", 0) : NULL;
    char *words = address ? xasprintf("%s%s%s", address, cxx ? " " : "", cxx ? cxx : "") : NULL;
    elf_unmap(&m);
    return words;
}
