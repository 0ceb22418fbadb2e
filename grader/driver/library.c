#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "driver/driver.h"

/* --- where a fault happened ------------------------------------------------------------------- */

/* The stack is searched so far. What the C library does between a call of abort() and the signal
 * needs about a thousand bytes. */
enum { STACK_WORDS = 2048, STACK_PAGE = 4096, CALL_MOST = 7 };

static struct {
    uint64_t base;     /* what the loader added to the addresses in the file */
    uint64_t from, to; /* code, as in the file */
} loaded;

static int take_code(struct dl_phdr_info *i, size_t size, void *with)
{
    const struct link_map *map = with;
    (void)size;
    for (int k = 0; i->dlpi_addr == map->l_addr && k < i->dlpi_phnum; k++) {
        const ElfW(Phdr) *p = &i->dlpi_phdr[k];
        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        loaded.base = map->l_addr;
        loaded.from = p->p_vaddr;
        loaded.to = p->p_vaddr + p->p_memsz;
    }
    return 0;
}

static void find_code(void *handle)
{
    struct link_map *map = NULL;
    if (dlinfo(handle, RTLD_DI_LINKMAP, (void *)&map) == 0 && map)
        dl_iterate_phdr(take_code, map);
}

static bool is_code(uint64_t address)
{
    return address - loaded.base >= loaded.from && address - loaded.base < loaded.to;
}

/* The call reads the signal set before it looks at its first argument, which is none. */
static bool is_readable(uint64_t address)
{
    return syscall(SYS_rt_sigprocmask, ~0L, address, NULL, sizeof(uint64_t)) == 0 ||
           errno != EFAULT;
}

/* Does the instruction before this one call a function? */
static bool follows_call(uint64_t address)
{
    unsigned char b[CALL_MOST];
    if (address - loaded.base - loaded.from < sizeof b)
        return false;
    memcpy(b, (const void *)(uintptr_t)(address - sizeof b), sizeof b); /* x86: call or call * */
    const bool short_form = b[5] == 0xff && ((b[6] & 0xf8) == 0xd0 || (b[6] & 0xf8) == 0x10);
    const bool long_form = b[1] == 0xff && (b[2] == 0x15 || (b[2] & 0xf8) == 0x90);
    return b[2] == 0xe8 || short_form || long_form || (b[4] == 0xff && (b[5] & 0xf8) == 0x50);
}

void library_places(uint64_t instruction, uint64_t stack_pointer, uint64_t place[PG_PLACES])
{
    int n = 0;
    for (int i = 0; i < PG_PLACES; i++)
        place[i] = UINT64_MAX;
    if (is_code(instruction))
        place[n++] = instruction - loaded.base;
    uint64_t at = (stack_pointer + 7) & ~UINT64_C(7);
    for (int i = 0; i < STACK_WORDS && n < PG_PLACES; i++, at += sizeof at) {
        uint64_t word;
        if (!at || ((i == 0 || at % STACK_PAGE == 0) && !is_readable(at)))
            break;
        memcpy(&word, (const void *)(uintptr_t)at, sizeof word);
        if (is_code(word) && follows_call(word))
            place[n++] = word - loaded.base - 1; /* in the call, not after it */
    }
}

/* --- loading ---------------------------------------------------------------------------------- */

/* A C++ name as people write it, or NULL. malloc'ed. */
static char *demangled(const char *symbol)
{
    char *(*demangle)(const char *, char *, size_t *, int *) = NULL;
    void *runtime = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (runtime)
        *(void **)&demangle = dlsym(runtime, "__cxa_demangle");
    return demangle ? demangle(symbol, NULL, NULL, NULL) : NULL;
}

/* Why the library cannot be loaded. The most usual reason is a function that is declared, but not
 * defined. */
static void explain(const char *error, char *text, size_t cap)
{
    static const char mark[] = "undefined symbol: ";
    const char *symbol = strstr(error, mark);
    if (!symbol) {
        snprintf(text, cap, "%s", error);
        return;
    }
    symbol += strlen(mark);
    char *name = strndup(symbol, strcspn(symbol, ", ")), *plain = name ? demangled(name) : NULL;
    snprintf(text, cap, "it needs %s, which no source defines", plain ? plain : symbol);
    free(plain);
    free(name);
}

void *library_symbol(const char *library, const char *symbol, char *text, size_t cap)
{
    /* RTLD_DEEPBIND: if the student defines a helper like send or index, the library calls that
     * one, not the one of the C library. AddressSanitizer refuses it: libraries for it are linked
     * with -Bsymbolic instead. */
    const bool replaced = dlsym(RTLD_DEFAULT, "__asan_poison_memory_region") ||
                          dlsym(RTLD_DEFAULT, "paragrade_trial");
    const int own_first = replaced ? 0 : RTLD_DEEPBIND;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | own_first);
    if (!handle) {
        char *error = strdup(dlerror()); /* another dlopen() replaces it */
        explain(error ? error : "no memory", text, cap);
        free(error);
        return NULL;
    }
    find_code(handle);
    void *function = dlsym(handle, symbol);
    if (!function)
        snprintf(text, cap, "the sources do not define the function %s", symbol);
    return function;
}
