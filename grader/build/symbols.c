/*
 * The library comes from a trusted linker but from a student's source, who may have had a say in
 * every byte of it: nothing is believed before it has been compared with the length of the file.
 */
#include "build/symbols.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/calls.h"

/* Beyond what any honest source makes; they keep the time that hostile ones take short. */
enum { SOURCE_MOST = 16 << 20, SHOWN = 80, SYMBOLS_MOST = 1 << 18, CONSTRUCTORS_MOST = 8 };

/* Bytes of .init that crti.o and crtn.o bring: a call of __gmon_start__, and the frame. */
enum { INIT_USUAL = 27 };

struct image {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
};

/* Copy n bytes at an offset; false when they are not all there. */
static bool take(const struct image *m, uint64_t offset, void *to, size_t n)
{
    if (offset > m->size || n > m->size - offset)
        return false;
    memcpy(to, m->bytes + offset, n);
    return true;
}

/* The string at an offset that ends before `end`, or NULL. */
static const char *text(const struct image *m, uint64_t offset, uint64_t end)
{
    if (end > m->size || offset >= end || !memchr(m->bytes + offset, '\0', end - offset))
        return NULL;
    return (const char *)m->bytes + offset;
}

static bool section(const struct image *m, unsigned i, Elf64_Shdr *s)
{
    return i < m->header.e_shnum && m->header.e_shentsize == sizeof *s &&
           m->header.e_shoff <= m->size &&
           take(m, m->header.e_shoff + (uint64_t)i * sizeof *s, s, sizeof *s);
}

/* [from, to) of a section in the file; false when it is not all there. */
static bool extent(const struct image *m, const Elf64_Shdr *s, uint64_t *from, uint64_t *to)
{
    if (s->sh_type == SHT_NOBITS || s->sh_offset > m->size || s->sh_size > m->size - s->sh_offset)
        return false;
    *from = s->sh_offset;
    *to = s->sh_offset + s->sh_size;
    return true;
}

static bool is_library(const struct image *m)
{
    const Elf64_Ehdr *h = &m->header;
    return memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 && h->e_ident[EI_CLASS] == ELFCLASS64 &&
           h->e_ident[EI_DATA] == ELFDATA2LSB && h->e_type == ET_DYN;
}

static bool program_header(const struct image *m, unsigned i, Elf64_Phdr *p)
{
    return m->header.e_phentsize == sizeof *p && m->header.e_phoff <= m->size &&
           take(m, m->header.e_phoff + (uint64_t)i * sizeof *p, p, sizeof *p);
}

/* The value of a tag of the dynamic section, as the loader sees it; 0 when there is none. */
static uint64_t dynamic(const struct image *m, int64_t tag)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < m->header.e_phnum; i++) {
        Elf64_Phdr p;
        if (!program_header(m, i, &p))
            return 0;
        if (p.p_type != PT_DYNAMIC || p.p_offset > m->size)
            continue;
        Elf64_Dyn d;
        for (uint64_t at = 0; at + sizeof d <= p.p_filesz; at += sizeof d) {
            if (!take(m, p.p_offset + at, &d, sizeof d) || d.d_tag == DT_NULL)
                break;
            if (d.d_tag == tag)
                value = d.d_un.d_val; /* the last one is the loader's */
        }
    }
    return value;
}

/* Where the loader finds an address in the file; 0 when nowhere. */
static uint64_t loaded_from(const struct image *m, uint64_t address)
{
    Elf64_Phdr p;
    for (unsigned i = 0; i < m->header.e_phnum; i++)
        if (program_header(m, i, &p) && p.p_type == PT_LOAD && address >= p.p_vaddr &&
            address - p.p_vaddr < p.p_filesz)
            return p.p_offset + (address - p.p_vaddr);
    return 0;
}

/* --- where a source names a symbol ------------------------------------------------------------ */

static bool name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Line number of the first word `name` in the text; one that is called before one that is not. */
static unsigned line_of(const char *source, const char *name)
{
    size_t n = strlen(name);
    unsigned line = 1, any = 0;
    for (const char *p = source, *counted = source; (p = strstr(p, name)); p += n) {
        if ((p > source && name_char(p[-1])) || name_char(p[n]))
            continue;
        for (; counted < p; counted++)
            line += *counted == '\n';
        const char *after = p + n + strspn(p + n, " \t\n");
        if (*after == '(')
            return line;
        any = any ? any : line;
    }
    return any;
}

/* "naive.c:8: " or "". The caller frees it. */
static char *place_of(const char *dir, const char *name)
{
    char **files, *place = NULL;
    size_t n;
    if (fs_list(dir, &files, &n, NULL) != 0)
        return xstrdup("");
    for (size_t i = 0; i < n && !place; i++) {
        if (strpbrk(files[i], "\n\r\t\033"))
            continue; /* a header's name may be anything, and this is for people */
        char *path = xasprintf("%s/%s", dir, files[i]), *source;
        if (fs_read(path, SOURCE_MOST, &source, NULL, NULL) == 0) {
            unsigned line = line_of(source, name);
            if (line)
                place = xasprintf("%s:%u: ", files[i], line);
            free(source);
        }
        free(path);
    }
    fs_list_free(files, n);
    return place ? place : xstrdup("");
}

/* --- what is objected to ------------------------------------------------------------------------
 */

/* What is said of a library: the first objection. */
struct objection {
    const char *dir; /* the sources */
    enum verdict verdict;
    char *why; /* NULL: none */
};

static void object(struct objection *o, enum verdict verdict, const char *why)
{
    o->verdict = verdict;
    o->why = xstrdup(why);
}

static void object_to(struct objection *o, enum verdict verdict, const char *what, const char *name,
                      const char *why)
{
    char *place = place_of(o->dir, name);
    o->verdict = verdict;
    o->why = xasprintf("%s%s %.*s, %s", place, what, SHOWN, name, why);
    free(place);
}

/* `found`: the linker saw it in a library that numbers its versions, as the C library does. */
static void judge_symbol(const Elf64_Sym *s, const char *name, bool found,
                         const struct symbol_rules *r, struct objection *o)
{
    unsigned type = ELF64_ST_TYPE(s->st_info);
    if (s->st_shndx != SHN_UNDEF) {
        /* Variables may be called what they like. */
        bool function = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
        if (function && (calls_reserved(name) || calls_taken(name)))
            object_to(o, calls_taken(name) ? VERDICT_BUILD_ERROR : VERDICT_FORBIDDEN,
                      "defines a function of its own called", name,
                      "a name of the runtime's: call it otherwise, or make it static");
    } else if (calls_forbidden(r->calls, name)) {
        object_to(o, VERDICT_FORBIDDEN, "calls", name, "which the assignment forbids");
    } else if (!calls_allowed(r->calls, name) && (found || ELF64_ST_BIND(s->st_info) == STB_WEAK)) {
        object_to(o, VERDICT_FORBIDDEN, "calls", name,
                  "which is not among the functions that the assignment allows");
    } else if (!calls_allowed(r->calls, name)) {
        object_to(o, VERDICT_BUILD_ERROR, "calls", name,
                  "which it does not define, and which is not among the functions that the "
                  "assignment allows");
    }
}

/* Versions of the symbols of the table in section `table`, if they are there. */
static bool find_versions(const struct image *m, unsigned table, uint64_t *from, uint64_t *to)
{
    Elf64_Shdr s;
    for (unsigned i = 0; section(m, i, &s); i++)
        if (s.sh_type == SHT_GNU_versym && s.sh_link == table)
            return extent(m, &s, from, to);
    return false;
}

static void judge_table(const struct image *m, unsigned index, const struct symbol_rules *r,
                        struct objection *o)
{
    Elf64_Shdr table, strings;
    uint64_t from, to, names, names_end, versions = 0, versions_end = 0;
    if (!section(m, index, &table) || !extent(m, &table, &from, &to) ||
        !section(m, table.sh_link, &strings) || !extent(m, &strings, &names, &names_end) ||
        table.sh_addr != dynamic(m, DT_SYMTAB) || strings.sh_addr != dynamic(m, DT_STRTAB) ||
        loaded_from(m, table.sh_addr) != from || loaded_from(m, strings.sh_addr) != names ||
        (to - from) / sizeof(Elf64_Sym) > SYMBOLS_MOST) {
        object(o, VERDICT_FORBIDDEN, "the built library's table of symbols is not in order");
        return;
    }
    bool versioned = find_versions(m, index, &versions, &versions_end);
    Elf64_Sym s;
    for (uint64_t i = 0; !o->why && to - from >= sizeof s; from += sizeof s, i++) {
        Elf64_Versym version = VER_NDX_LOCAL;
        if (!take(m, from, &s, sizeof s))
            break;
        if (versioned && (versions_end - versions) / sizeof version > i)
            take(m, versions + i * sizeof version, &version, sizeof version);
        const char *name = s.st_name ? text(m, names + s.st_name, names_end) : "";
        if (!name)
            object(o, VERDICT_FORBIDDEN, "the built library's table of symbols is not in order");
        else if (*name)
            judge_symbol(&s, name, version > VER_NDX_GLOBAL, r, o);
    }
}

/* Name of the function at an address, of the full table of symbols; NULL when there is none. */
static const char *function_at(const struct image *m, uint64_t address)
{
    Elf64_Shdr table, strings;
    Elf64_Sym s;
    uint64_t from, to, names, end;
    for (unsigned i = 0; section(m, i, &table); i++) {
        if (table.sh_type != SHT_SYMTAB || !extent(m, &table, &from, &to) ||
            !section(m, table.sh_link, &strings) || !extent(m, &strings, &names, &end))
            continue;
        for (; to - from >= sizeof s; from += sizeof s) {
            if (take(m, from, &s, sizeof s) && s.st_value == address &&
                ELF64_ST_TYPE(s.st_info) == STT_FUNC)
                return text(m, names + s.st_name, end);
        }
    }
    return NULL;
}

/* What gcc itself lets run at load time: frame_dummy always, the other where a source asks which
 * instructions there are (__builtin_cpu_supports). */
static bool usual_constructor(const char *name)
{
    return name && (strcmp(name, "frame_dummy") == 0 || strcmp(name, "__cpu_indicator_init") == 0);
}

/* Entries of .init_array are filled in by relocations; each names its function. */
static bool unusual_entry(const struct image *m, uint64_t first, uint64_t bytes)
{
    Elf64_Shdr table;
    Elf64_Rela rela;
    uint64_t from, to, entries = bytes / sizeof(uint64_t), known = 0;
    bool dummy = false; /* there is one of gcc's; another is somebody's under its name */
    for (unsigned i = 0; section(m, i, &table); i++) {
        if (table.sh_type != SHT_RELA || !extent(m, &table, &from, &to))
            continue;
        for (; to - from >= sizeof rela; from += sizeof rela) {
            if (!take(m, from, &rela, sizeof rela) || rela.r_offset < first ||
                rela.r_offset - first >= bytes)
                continue;
            const char *name = function_at(m, (uint64_t)rela.r_addend);
            if (ELF64_R_SYM(rela.r_info) != 0 || !usual_constructor(name))
                return true;
            bool is_dummy = strcmp(name, "frame_dummy") == 0;
            if (is_dummy && dummy)
                return true;
            dummy = dummy || is_dummy;
            known++;
        }
    }
    return known != entries;
}

static bool has_constructors(const struct image *m)
{
    uint64_t bytes = dynamic(m, DT_INIT_ARRAYSZ);
    if (dynamic(m, DT_PREINIT_ARRAYSZ) > 0 || bytes > CONSTRUCTORS_MOST * sizeof(uint64_t) ||
        (bytes > sizeof(uint64_t) && unusual_entry(m, dynamic(m, DT_INIT_ARRAY), bytes)))
        return true;
    Elf64_Shdr names, s;
    uint64_t from, to;
    if (!section(m, m->header.e_shstrndx, &names) || !extent(m, &names, &from, &to))
        return true;
    for (unsigned i = 0; section(m, i, &s); i++) {
        const char *name = s.sh_name < to - from ? text(m, from + s.sh_name, to) : NULL;
        if (name && strcmp(name, ".init") == 0 && s.sh_size > INIT_USUAL)
            return true;
    }
    return false;
}

static void judge_image(const struct image *m, const struct symbol_rules *r, struct objection *o)
{
    Elf64_Shdr s;
    bool table = false;
    if (!m->bytes || !is_library(m)) {
        object(o, VERDICT_FORBIDDEN, "what was built is no shared library for this machine");
        return;
    }
    for (unsigned i = 0; !o->why && section(m, i, &s); i++) {
        if (s.sh_type != SHT_DYNSYM)
            continue;
        table = true;
        judge_table(m, i, r, o);
    }
    if (!o->why && !table)
        object(o, VERDICT_FORBIDDEN, "the built library has no table of symbols");
    if (!o->why && !r->constructors && has_constructors(m)) {
        char *place = place_of(o->dir, "constructor");
        o->verdict = VERDICT_FORBIDDEN;
        o->why = xasprintf("%sruns code when it is loaded (a constructor), which a kernel in C "
                           "has no use for",
                           place);
        free(place);
    }
}

/* Map a library. -1 when it cannot be read; m->bytes is NULL when there is no such file in it. */
static int map_image(const char *library, struct image *m, struct err *e)
{
    struct stat st;
    *m = (struct image){0};
    int fd = open(library, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        err_system(e, "%s: %s", library, strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    void *map = MAP_FAILED;
    if (S_ISREG(st.st_mode) && (size_t)st.st_size >= sizeof m->header) {
        m->size = (size_t)st.st_size;
        map = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    close(fd);
    if (map == MAP_FAILED)
        return 0;
    m->bytes = map;
    take(m, 0, &m->header, sizeof m->header);
    return 0;
}

static void unmap_image(struct image *m)
{
    if (m->bytes)
        munmap((void *)(uintptr_t)m->bytes, m->size);
}

int symbols_check(const char *library, const struct symbol_rules *r, const char *dir,
                  enum verdict *verdict, char **why, struct err *e)
{
    struct image m;
    struct objection o = {.dir = dir, .verdict = VERDICT_PASS};
    *why = NULL;
    if (map_image(library, &m, e) != 0)
        return -1;
    judge_image(&m, r, &o);
    unmap_image(&m);
    *verdict = o.verdict;
    *why = o.why;
    return 0;
}

static bool table_defines(const struct image *m, const Elf64_Shdr *table, const char *function)
{
    Elf64_Shdr strings;
    Elf64_Sym s;
    uint64_t from, to, names, end;
    if (!extent(m, table, &from, &to) || !section(m, table->sh_link, &strings) ||
        !extent(m, &strings, &names, &end))
        return false;
    for (; to - from >= sizeof s; from += sizeof s) {
        if (!take(m, from, &s, sizeof s) || s.st_shndx == SHN_UNDEF)
            continue;
        const char *name = text(m, names + s.st_name, end);
        if (name && strcmp(name, function) == 0)
            return true;
    }
    return false;
}

int symbols_defined(const char *library, const char *function, bool *yes, struct err *e)
{
    struct image m;
    Elf64_Shdr s;
    *yes = false;
    if (map_image(library, &m, e) != 0)
        return -1;
    for (unsigned i = 0; m.bytes && is_library(&m) && !*yes && section(&m, i, &s); i++)
        *yes = s.sh_type == SHT_DYNSYM && table_defines(&m, &s, function);
    unmap_image(&m);
    return 0;
}
