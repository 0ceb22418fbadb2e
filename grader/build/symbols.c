#include "build/symbols.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/elf_image.h"
#include "build/named_at.h"
#include "build/objections.h"
#include "model/calls.h"

/* More than any honest source needs. These limits bound the time that a hostile one can take. */
enum { SHOWN = 80, SYMBOLS_MOST = 1 << 18, CONSTRUCTORS_MOST = 8, OTHERS_MOST = 3 };

#define DISORDER "the built library's table of symbols is not in order"

/* Bytes of .init that crti.o and crtn.o add: a call of __gmon_start__, and the stack frame. */
enum { INIT_USUAL = 27 };

/* `found`: the linker found it in a library with versioned symbols, such as the C library. */
static void judge_symbol(const Elf64_Sym *s, const char *name, bool found,
                         const struct symbol_rules *r, struct objections *o)
{
    unsigned type = ELF64_ST_TYPE(s->st_info);
    if (s->st_shndx != SHN_UNDEF) {
        /* Only functions matter: a variable may have any name. */
        bool function = type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE;
        if (function && (calls_reserved(name) || calls_taken(name)))
            objections_add(o, calls_taken(name) ? VERDICT_BUILD_ERROR : VERDICT_FORBIDDEN,
                           "defines a function of its own called", name,
                           "a name of the runtime library: rename the function, or make it static");
    } else if (calls_forbidden(r->calls, name)) {
        objections_add(o, VERDICT_FORBIDDEN, "calls", name, "which the assignment forbids");
    } else if (!calls_allowed(r->calls, name) && (found || ELF64_ST_BIND(s->st_info) == STB_WEAK)) {
        objections_add(o, VERDICT_FORBIDDEN, "calls", name, "which the assignment does not allow");
    } else if (!calls_allowed(r->calls, name)) {
        objections_add(
            o, VERDICT_BUILD_ERROR, "calls", name,
            "but does not define it, and the assignment does not allow it: a wrong name, a "
            "missing function, or a static one?");
    }
}

/* Find the versions of the symbols of section `table`. False when there are none. */
static bool find_versions(const struct elf_image *m, unsigned table, uint64_t *from, uint64_t *to)
{
    Elf64_Shdr s;
    for (unsigned i = 0; elf_section(m, i, &s); i++)
        if (s.sh_type == SHT_GNU_versym && s.sh_link == table)
            return elf_extent(m, &s, from, to);
    return false;
}

static void judge_table(const struct elf_image *m, unsigned index, const struct symbol_rules *r,
                        struct objections *o)
{
    Elf64_Shdr table, strings;
    uint64_t from, to, names, names_end, versions = 0, versions_end = 0;
    if (!elf_section(m, index, &table) || !elf_extent(m, &table, &from, &to) ||
        !elf_section(m, table.sh_link, &strings) || !elf_extent(m, &strings, &names, &names_end) ||
        table.sh_addr != elf_dynamic(m, DT_SYMTAB) ||
        strings.sh_addr != elf_dynamic(m, DT_STRTAB) || elf_loaded_from(m, table.sh_addr) != from ||
        elf_loaded_from(m, strings.sh_addr) != names ||
        (to - from) / sizeof(Elf64_Sym) > SYMBOLS_MOST) {
        objections_whole(o, xstrdup(DISORDER));
        return;
    }
    bool versioned = find_versions(m, index, &versions, &versions_end);
    Elf64_Sym s;
    for (uint64_t i = 0; !o->general && to - from >= sizeof s; from += sizeof s, i++) {
        Elf64_Versym version = VER_NDX_LOCAL;
        if (!elf_take(m, from, &s, sizeof s))
            break;
        if (versioned && (versions_end - versions) / sizeof version > i)
            elf_take(m, versions + i * sizeof version, &version, sizeof version);
        const char *name = s.st_name ? elf_text(m, names + s.st_name, names_end) : "";
        if (!name)
            objections_whole(o, xstrdup(DISORDER));
        else if (*name)
            judge_symbol(&s, name, version > VER_NDX_GLOBAL, r, o);
    }
}

/* Name of the function at an address, by the full table of symbols; NULL when there is none. */
static const char *function_at(const struct elf_image *m, uint64_t address)
{
    Elf64_Shdr table, strings;
    Elf64_Sym s;
    uint64_t from, to, names, end;
    for (unsigned i = 0; elf_section(m, i, &table); i++) {
        if (table.sh_type != SHT_SYMTAB || !elf_extent(m, &table, &from, &to) ||
            !elf_section(m, table.sh_link, &strings) || !elf_extent(m, &strings, &names, &end))
            continue;
        for (; to - from >= sizeof s; from += sizeof s) {
            if (elf_take(m, from, &s, sizeof s) && s.st_value == address &&
                ELF64_ST_TYPE(s.st_info) == STT_FUNC)
                return elf_text(m, names + s.st_name, end);
        }
    }
    return NULL;
}

/* Constructors that gcc itself adds: frame_dummy always, and __cpu_indicator_init when a source
 * calls
 * __builtin_cpu_supports(). */
static bool usual_constructor(const char *name)
{
    return name && (strcmp(name, "frame_dummy") == 0 || strcmp(name, "__cpu_indicator_init") == 0);
}

/* True when .init_array has an entry that is not gcc's. Relocations fill in the entries; each
 * relocation names its function. */
static bool unusual_entry(const struct elf_image *m, uint64_t first, uint64_t bytes)
{
    Elf64_Shdr table;
    Elf64_Rela rela;
    uint64_t from, to, entries = bytes / sizeof(uint64_t), known = 0;
    bool dummy = false; /* gcc's was seen; a second one is the student's, with the same name */
    for (unsigned i = 0; elf_section(m, i, &table); i++) {
        if (table.sh_type != SHT_RELA || !elf_extent(m, &table, &from, &to))
            continue;
        for (; to - from >= sizeof rela; from += sizeof rela) {
            if (!elf_take(m, from, &rela, sizeof rela) || rela.r_offset < first ||
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

/* gcc makes resolvers for target_clones, and names them so. A resolver of another name is the
 * student's; of an unknown one, nobody's. */
static bool unusual_resolver(const struct elf_image *m, uint64_t address)
{
    static const char usual[] = ".resolver";
    const char *name = function_at(m, address);
    const size_t n = name ? strlen(name) : 0, tail = sizeof usual - 1;
    return name && (n <= tail || strcmp(name + n - tail, usual) != 0);
}

/* Functions that the loader calls to learn which function a name means (indirect functions). */
static bool has_resolvers(const struct elf_image *m)
{
    Elf64_Shdr table;
    Elf64_Rela rela;
    Elf64_Sym s;
    uint64_t from, to;
    for (unsigned i = 0; elf_section(m, i, &table); i++) {
        if (!elf_extent(m, &table, &from, &to))
            continue;
        for (; table.sh_type == SHT_RELA && to - from >= sizeof rela; from += sizeof rela)
            if (elf_take(m, from, &rela, sizeof rela) &&
                ELF64_R_TYPE(rela.r_info) == R_X86_64_IRELATIVE &&
                unusual_resolver(m, (uint64_t)rela.r_addend))
                return true;
        for (; table.sh_type == SHT_DYNSYM && to - from >= sizeof s; from += sizeof s)
            if (elf_take(m, from, &s, sizeof s) && s.st_shndx != SHN_UNDEF &&
                ELF64_ST_TYPE(s.st_info) == STT_GNU_IFUNC && unusual_resolver(m, s.st_value))
                return true;
    }
    return false;
}

static bool has_constructors(const struct elf_image *m)
{
    uint64_t bytes = elf_dynamic(m, DT_INIT_ARRAYSZ);
    if (elf_dynamic(m, DT_PREINIT_ARRAYSZ) > 0 || bytes > CONSTRUCTORS_MOST * sizeof(uint64_t) ||
        (bytes > sizeof(uint64_t) && unusual_entry(m, elf_dynamic(m, DT_INIT_ARRAY), bytes)))
        return true;
    Elf64_Shdr names, s;
    uint64_t from, to;
    if (!elf_section(m, m->header.e_shstrndx, &names) || !elf_extent(m, &names, &from, &to))
        return true;
    for (unsigned i = 0; elf_section(m, i, &s); i++) {
        const char *name = s.sh_name < to - from ? elf_text(m, from + s.sh_name, to) : NULL;
        if (name && strcmp(name, ".init") == 0 && s.sh_size > INIT_USUAL)
            return true;
    }
    return false;
}

static char *constructor_text(const char *dir)
{
    unsigned line;
    OWNED char *file = named_at(dir, "constructor", &line);
    OWNED char *place = file ? xasprintf("%s:%u: ", file, line) : xstrdup("");
    char *text =
        xasprintf("%sruns code when it is loaded (a constructor): this is not allowed in C", place);
    return text;
}

static void judge_image(const struct elf_image *m, const struct symbol_rules *r,
                        struct objections *o)
{
    Elf64_Shdr s;
    bool table = false;
    if (!m->bytes || !elf_is_library(m)) {
        objections_whole(o, xstrdup("what was built is no shared library for this machine"));
        return;
    }
    for (unsigned i = 0; !o->general && elf_section(m, i, &s); i++) {
        if (s.sh_type != SHT_DYNSYM)
            continue;
        table = true;
        judge_table(m, i, r, o);
    }
    if (!table)
        objections_whole(o, xstrdup("the built library has no table of symbols"));
    if (!objections_any(o) && !r->constructors && has_resolvers(m))
        objections_whole(
            o, xstrdup("chooses a function when it is loaded (the attribute ifunc): this is not "
                       "allowed in C"));
    if (!objections_any(o) && !r->constructors && has_constructors(m))
        objections_whole(o, constructor_text(o->dir));
}

int symbols_check(const char *library, const struct symbol_rules *r, const char *dir,
                  enum verdict *verdict, char **why, struct err *e)
{
    struct elf_image m;
    struct objections o = {.dir = dir};
    *why = NULL;
    if (elf_map(library, &m, e) != 0)
        return -1;
    judge_image(&m, r, &o);
    elf_unmap(&m);
    *why = objections_text(&o, verdict);
    objections_free(&o);
    return 0;
}

/* Looks for a function, and notes what else is exported. */
struct search {
    const char *function;
    bool found, mangled; /* mangled: a name of C++ contains the function's */
    unsigned named;
    struct strbuf others;
};

static void note_other(struct search *w, const char *name)
{
    if (name[strspn(name, NAMED_CHARS)] || w->named == OTHERS_MOST)
        return;
    w->mangled = w->mangled || (strncmp(name, "_Z", 2) == 0 && strstr(name, w->function));
    strbuf_addf(&w->others, "%s%.*s", w->named++ ? ", " : "", SHOWN, name);
}

static void search_table(const struct elf_image *m, const Elf64_Shdr *table, struct search *w)
{
    Elf64_Shdr strings;
    Elf64_Sym s;
    uint64_t from, to, names, end;
    if (!elf_extent(m, table, &from, &to) || !elf_section(m, table->sh_link, &strings) ||
        !elf_extent(m, &strings, &names, &end))
        return;
    for (; to - from >= sizeof s && !w->found; from += sizeof s) {
        if (!elf_take(m, from, &s, sizeof s) || s.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_text(m, names + s.st_name, end);
        w->found = name && strcmp(name, w->function) == 0;
        if (name && !w->found && ELF64_ST_TYPE(s.st_info) == STT_FUNC)
            note_other(w, name);
    }
}

int symbols_missing(const char *library, const char *function, char **why, struct err *e)
{
    struct elf_image m;
    Elf64_Shdr s;
    struct search w = {.function = function, .others = STRBUF_INIT};
    *why = NULL;
    if (elf_map(library, &m, e) != 0)
        return -1;
    for (unsigned i = 0; m.bytes && elf_is_library(&m) && !w.found && elf_section(&m, i, &s); i++)
        if (s.sh_type == SHT_DYNSYM)
            search_table(&m, &s, &w);
    if (!w.found)
        *why = xasprintf("the sources do not define the function %s%s%s%s", function,
                         w.named ? "; they define " : "", w.others.s,
                         w.mangled ? " (a C++ name: include the assignment's header, or declare "
                                     "the function extern \"C\")"
                                   : "");
    strbuf_free(&w.others);
    elf_unmap(&m);
    return 0;
}
