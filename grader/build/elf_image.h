/*
 * elf_image.h - read a built library as an ELF file. The linker is trusted, but the source is a
 * student's and may have determined every byte. So every offset and every length is compared with
 * the size of the file before it is used.
 */
#ifndef BUILD_ELF_IMAGE_H
#define BUILD_ELF_IMAGE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct elf_image {
    const unsigned char *bytes; /* the mapped file; NULL when it is too short for an ELF header */
    size_t size;
    Elf64_Ehdr header;
};

/* Map a library. -1 only when the file cannot be opened. elf_unmap() afterwards. */
int elf_map(const char *library, struct elf_image *m, struct err *e);
void elf_unmap(struct elf_image *m);

/* True for a 64-bit little-endian shared object. */
bool elf_is_library(const struct elf_image *m);

/* Copy n bytes from an offset. False when they are not all in the file. */
bool elf_take(const struct elf_image *m, uint64_t offset, void *to, size_t n);
/* The string at an offset; NULL when it does not end before offset `end`. */
const char *elf_text(const struct elf_image *m, uint64_t offset, uint64_t end);

/* Section i. False when there is none, or it is not all in the file. */
bool elf_section(const struct elf_image *m, unsigned i, Elf64_Shdr *s);
/* The offsets [from, to) of a section's contents. False when they are not all in the file. */
bool elf_extent(const struct elf_image *m, const Elf64_Shdr *s, uint64_t *from, uint64_t *to);

/* Program header i, where i < m->header.e_phnum. False when it is not all in the file. */
bool elf_program_header(const struct elf_image *m, unsigned i, Elf64_Phdr *p);
/* The value of a tag of the dynamic section, as the loader sees it; 0 when there is none. */
uint64_t elf_dynamic(const struct elf_image *m, int64_t tag);
/* Of the libraries that it needs, and whose names begin with `prefix`: the name of number `which`,
 * from 0; NULL when there is none. It lies in m->bytes. */
const char *elf_needed(const struct elf_image *m, const char *prefix, unsigned which);
/* The offset in the file from which the loader maps an address; 0 when there is none. */
uint64_t elf_loaded_from(const struct elf_image *m, uint64_t address);

#endif
