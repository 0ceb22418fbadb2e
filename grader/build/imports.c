#include "build/imports.h"

#include <fnmatch.h>
#include <string.h>

#include "build/elf_image.h"

/* What starts threads. A library without any of these and of OpenMP has one. */
static const char *const starters[] = {
    "pthread_create", "clone", "thrd_create", "syscall", "_ZNSt6thread*_M_start_thread*",
    "_ZSt*async*"};

static const char *const openmp[] = {"GOMP_*", "__kmpc_*", "omp_*"};

/* Libraries that start none unless they are asked by these names. */
static const char *const plain[] = {"libc.so",    "libm.so",      "libgomp.so",    "libomp.so",
                                    "libgcc_s",   "libstdc++.so", "libpthread.so", "ld-linux",
                                    "libatomic.", "libdl.so",     "librt.so"};

static const char *const tasks[] = {"GOMP_task"};

struct names {
    const char *const *pattern;
    size_t count;
};

static bool is_one_of(const char *name, const struct names *n)
{
    for (size_t i = 0; i < n->count; i++)
        if (fnmatch(n->pattern[i], name, 0) == 0)
            return true;
    return false;
}

static bool table_needs(const struct elf_image *m, const Elf64_Shdr *table, const struct names *n)
{
    Elf64_Shdr strings;
    Elf64_Sym s;
    uint64_t from, to, names, end;
    if (!elf_extent(m, table, &from, &to) || !elf_section(m, table->sh_link, &strings) ||
        !elf_extent(m, &strings, &names, &end))
        return true;
    for (; to - from >= sizeof s; from += sizeof s) {
        const char *name = elf_take(m, from, &s, sizeof s) && s.st_shndx == SHN_UNDEF
                               ? elf_text(m, names + s.st_name, end)
                               : "";
        if (!name || is_one_of(name, n))
            return true;
    }
    return false;
}

/* Is each needed library one of the plain ones? */
static bool needs_only_plain(const struct elf_image *m)
{
    unsigned all = 0, known = 0;
    for (unsigned i = 0; elf_needed(m, "", i); i++)
        all++;
    for (size_t k = 0; k < sizeof plain / sizeof plain[0]; k++)
        for (unsigned i = 0; elf_needed(m, plain[k], i); i++)
            known++;
    return all == known;
}

/* Does the library need one of these names, or can nobody know? others: or one of a library that is
 * not a plain one. */
static bool needs(const char *library, const struct names *n, bool others)
{
    struct elf_image m;
    Elf64_Shdr s;
    struct err ignored = ERR_INIT;
    bool table = false, found = false;
    if (elf_map(library, &m, &ignored) != 0)
        return true;
    for (unsigned i = 0; m.bytes && elf_is_library(&m) && !found && elf_section(&m, i, &s); i++) {
        if (s.sh_type != SHT_DYNSYM)
            continue;
        table = true;
        found = table_needs(&m, &s, n);
    }
    const bool may = found || !table || (others && !needs_only_plain(&m));
    elf_unmap(&m);
    return may;
}

bool imports_threads(const char *library)
{
    const struct names n = {openmp, sizeof openmp / sizeof openmp[0]};
    return imports_own_threads(library) || needs(library, &n, false);
}

bool imports_own_threads(const char *library)
{
    const struct names n = {starters, sizeof starters / sizeof starters[0]};
    return needs(library, &n, true);
}

bool imports_tasks(const char *library)
{
    const struct names n = {tasks, sizeof tasks / sizeof tasks[0]};
    return needs(library, &n, false);
}
