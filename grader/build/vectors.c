/*
 * Capstone decodes bytes that a student controls, and it may have bugs. So it runs in a child
 * process, which gives up all system calls but read, write and exit before it decodes the first
 * byte. The child's output is not trusted either.
 */
#include "build/vectors.h"

#include <capstone/capstone.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build/elf_image.h"

/* More than any honest library of a course contains. These limits bound the time of a hostile one.
 */
enum { CODE_MOST = 4 << 20, SECONDS_MOST = 5 };

/* --- in the child ----------------------------------------------------------------------------- */

static bool starts_with(const char *s, const char *prefix)
{
    return strncmp(s, prefix, strlen(prefix)) == 0;
}

static bool is_multiply(const char *name)
{
    static const char *const integer[] = {"pmul", "pmadd", "pdp"};
    static const char *const fused[] = {"fmadd", "fmsub", "fnmadd", "fnmsub"};
    for (size_t i = 0; i < sizeof integer / sizeof integer[0]; i++)
        if (starts_with(name, integer[i]))
            return true;
    /* "ps" and "pd" are packed. "ss" and "sd" are for one number: scalar code uses these. */
    size_t n = strlen(name);
    bool packed = n > 2 && name[n - 2] == 'p' && (name[n - 1] == 's' || name[n - 1] == 'd');
    for (size_t i = 0; packed && i < sizeof fused / sizeof fused[0]; i++)
        if (starts_with(name, fused[i]))
            return true;
    return packed && starts_with(name, "mul");
}

static int width(const char *operands)
{
    return strstr(operands, "zmm")   ? 512
           : strstr(operands, "ymm") ? 256
           : strstr(operands, "xmm") ? 128
                                     : 0;
}

static void count(struct vectors *v, const char *name, int bits)
{
    unsigned i = 0;
    while (i < v->multiplies &&
           (v->multiply[i].bits != bits || strcmp(v->multiply[i].name, name) != 0))
        i++;
    if (i == VECTORS_MOST)
        return;
    if (i == v->multiplies) {
        v->multiplies++;
        v->multiply[i].bits = bits;
        snprintf(v->multiply[i].name, sizeof v->multiply[i].name, "%.*s", VECTOR_NAME - 1, name);
    }
    v->multiply[i].count++;
}

static void examine(csh decoder, cs_insn *insn, const unsigned char *code, size_t n,
                    uint64_t address, struct vectors *v)
{
    while (cs_disasm_iter(decoder, &code, &n, &address, insn)) {
        const char *name = insn->mnemonic + (insn->mnemonic[0] == 'v');
        int bits = width(insn->op_str);
        if (!bits)
            continue;
        if (is_multiply(name))
            count(v, insn->mnemonic, bits);
        else if (starts_with(name, "padd"))
            v->adds++;
    }
}

/* Examine everything that the loader maps as code; it need not be in a section. False when it is
 * too much or not all in the file. */
static bool examine_all(csh decoder, cs_insn *insn, const struct elf_image *m, struct vectors *v)
{
    const Elf64_Ehdr *h = &m->header;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_machine != EM_X86_64)
        return false;
    size_t code = 0;
    for (unsigned i = 0; i < h->e_phnum; i++) {
        Elf64_Phdr p;
        if (!elf_program_header(m, i, &p))
            return false;
        if (p.p_type != PT_LOAD || !(p.p_flags & PF_X))
            continue;
        if (p.p_offset > m->size || p.p_filesz > m->size - p.p_offset ||
            p.p_filesz > CODE_MOST - code)
            return false;
        code += p.p_filesz;
        examine(decoder, insn, m->bytes + p.p_offset, p.p_filesz, p.p_vaddr, v);
    }
    return code > 0;
}

static int by_value(const void *a, const void *b)
{
    return (*(const unsigned char *)a > *(const unsigned char *)b) -
           (*(const unsigned char *)a < *(const unsigned char *)b);
}

/* Do what needs system calls only the first time. The decoder sorts its tables; for this the C
 * library asks for the size of the memory, and allocates some. */
static void warm_up(void)
{
    enum { SORTED = 1 << 14, HEAP = 1 << 16 };
    static unsigned char bytes[SORTED];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7);
    qsort(bytes, sizeof bytes, 1, by_value);
    void *volatile room = malloc(HEAP);
    free(room);
}

static void child(const struct elf_image *m, int out)
{
    static struct vectors v;
    struct rlimit seconds = {SECONDS_MOST, SECONDS_MOST}, none = {0, 0};
    csh decoder;
    setrlimit(RLIMIT_CPU, &seconds);
    setrlimit(RLIMIT_CORE, &none);
    if (cs_open(CS_ARCH_X86, CS_MODE_64, &decoder) == CS_ERR_OK) {
        cs_option(decoder, CS_OPT_SKIPDATA, CS_OPT_ON);
        cs_insn *insn = cs_malloc(decoder);
        warm_up();
        /* If the kernel lacks this, only the limits above protect. */
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
        v.known = insn && examine_all(decoder, insn, m, &v);
        ssize_t ignored = write(out, &v, sizeof v);
        (void)ignored;
    }
    syscall(SYS_exit, 0); /* exit_group() is no longer allowed */
}

/* --- in the proctor --------------------------------------------------------------------------- */

static bool receive(int in, struct vectors *v)
{
    size_t got = 0;
    while (got < sizeof *v) {
        ssize_t n = read(in, (char *)v + got, sizeof *v - got);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        got += (size_t)n;
    }
    for (unsigned i = 0; i < VECTORS_MOST; i++)
        v->multiply[i].name[VECTOR_NAME - 1] = '\0';
    return v->known && v->multiplies <= VECTORS_MOST;
}

static bool examine_in_child(const struct elf_image *m, struct vectors *v)
{
    int out[2];
    if (pipe2(out, O_CLOEXEC) != 0)
        return false;
    pid_t pid = fork();
    if (pid == 0)
        child(m, out[1]);
    close(out[1]);
    bool known = pid > 0 && receive(out[0], v);
    close(out[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return known;
}

void vectors_find(const char *library, struct vectors *v)
{
    struct elf_image m;
    *v = (struct vectors){0};
    if (elf_map(library, &m, NULL) != 0)
        return;
    if (!m.bytes || !examine_in_child(&m, v))
        *v = (struct vectors){0};
    elf_unmap(&m);
}
