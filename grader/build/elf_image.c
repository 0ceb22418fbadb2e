#include "build/elf_image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

bool elf_take(const struct elf_image *m, uint64_t offset, void *to, size_t n)
{
    if (offset > m->size || n > m->size - offset)
        return false;
    memcpy(to, m->bytes + offset, n);
    return true;
}

const char *elf_text(const struct elf_image *m, uint64_t offset, uint64_t end)
{
    if (end > m->size || offset >= end || !memchr(m->bytes + offset, '\0', end - offset))
        return NULL;
    return (const char *)m->bytes + offset;
}

bool elf_section(const struct elf_image *m, unsigned i, Elf64_Shdr *s)
{
    return i < m->header.e_shnum && m->header.e_shentsize == sizeof *s &&
           m->header.e_shoff <= m->size &&
           elf_take(m, m->header.e_shoff + (uint64_t)i * sizeof *s, s, sizeof *s);
}

bool elf_extent(const struct elf_image *m, const Elf64_Shdr *s, uint64_t *from, uint64_t *to)
{
    if (s->sh_type == SHT_NOBITS || s->sh_offset > m->size || s->sh_size > m->size - s->sh_offset)
        return false;
    *from = s->sh_offset;
    *to = s->sh_offset + s->sh_size;
    return true;
}

bool elf_is_library(const struct elf_image *m)
{
    const Elf64_Ehdr *h = &m->header;
    return memcmp(h->e_ident, ELFMAG, SELFMAG) == 0 && h->e_ident[EI_CLASS] == ELFCLASS64 &&
           h->e_ident[EI_DATA] == ELFDATA2LSB && h->e_type == ET_DYN;
}

bool elf_program_header(const struct elf_image *m, unsigned i, Elf64_Phdr *p)
{
    return m->header.e_phentsize == sizeof *p && m->header.e_phoff <= m->size &&
           elf_take(m, m->header.e_phoff + (uint64_t)i * sizeof *p, p, sizeof *p);
}

uint64_t elf_dynamic(const struct elf_image *m, int64_t tag)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < m->header.e_phnum; i++) {
        Elf64_Phdr p;
        if (!elf_program_header(m, i, &p))
            return 0;
        if (p.p_type != PT_DYNAMIC || p.p_offset > m->size)
            continue;
        Elf64_Dyn d;
        for (uint64_t at = 0; at + sizeof d <= p.p_filesz; at += sizeof d) {
            if (!elf_take(m, p.p_offset + at, &d, sizeof d) || d.d_tag == DT_NULL)
                break;
            if (d.d_tag == tag)
                value = d.d_un.d_val; /* the last one is the loader's */
        }
    }
    return value;
}

const char *elf_needed(const struct elf_image *m, const char *prefix, unsigned which)
{
    const uint64_t strings = elf_loaded_from(m, elf_dynamic(m, DT_STRTAB)),
                   size = elf_dynamic(m, DT_STRSZ);
    for (unsigned i = 0; strings && i < m->header.e_phnum; i++) {
        Elf64_Phdr p;
        Elf64_Dyn d;
        if (!elf_program_header(m, i, &p))
            return NULL;
        for (uint64_t at = 0; p.p_type == PT_DYNAMIC && at + sizeof d <= p.p_filesz;
             at += sizeof d) {
            if (p.p_offset > m->size || !elf_take(m, p.p_offset + at, &d, sizeof d) ||
                d.d_tag == DT_NULL)
                break;
            if (d.d_tag != DT_NEEDED || size > m->size - strings || d.d_un.d_val >= size)
                continue;
            const char *name = elf_text(m, strings + d.d_un.d_val, strings + size);
            if (name && strncmp(name, prefix, strlen(prefix)) == 0 && which-- == 0)
                return name;
        }
    }
    return NULL;
}

uint64_t elf_loaded_from(const struct elf_image *m, uint64_t address)
{
    Elf64_Phdr p;
    for (unsigned i = 0; i < m->header.e_phnum; i++)
        if (elf_program_header(m, i, &p) && p.p_type == PT_LOAD && address >= p.p_vaddr &&
            address - p.p_vaddr < p.p_filesz)
            return p.p_offset + (address - p.p_vaddr);
    return 0;
}

int elf_map(const char *library, struct elf_image *m, struct err *e)
{
    struct stat st;
    *m = (struct elf_image){0};
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
    elf_take(m, 0, &m->header, sizeof m->header);
    return 0;
}

void elf_unmap(struct elf_image *m)
{
    if (m->bytes)
        munmap((void *)(uintptr_t)m->bytes, m->size);
}
