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

static bool starts_with_any(const char *s, const char *const *prefix, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (starts_with(s, prefix[i]))
            return true;
    return false;
}

#define STARTS_WITH_ANY(s, prefixes)                                                               \
    starts_with_any(s, prefixes, sizeof(prefixes) / sizeof((prefixes)[0]))

/* "ps", "pd" and "ph" are packed. "ss" and "sd" are for one number: scalar code uses these. */
static bool is_packed(const char *name)
{
    size_t n = strlen(name);
    return n > 2 && name[n - 2] == 'p' && strchr("sdh", name[n - 1]);
}

/* Also sums of products: those of a vector ("dp"), and of a tile ("tdp"). */
static bool is_multiply(const char *name)
{
    static const char *const integer[] = {"pmul", "pmadd", "pmac", "pdp", "tdp"};
    static const char *const real[] = {"mul", "fmadd", "fmsub", "fnmadd", "fnmsub", "dp"};
    return STARTS_WITH_ANY(name, integer) || (is_packed(name) && STARTS_WITH_ANY(name, real));
}

static bool is_add(const char *name)
{
    static const char *const integer[] = {"padd", "psub", "phadd", "phsub"};
    static const char *const real[] = {"add", "sub", "hadd", "hsub"};
    return STARTS_WITH_ANY(name, integer) || (is_packed(name) && STARTS_WITH_ANY(name, real));
}

static int width(const char *operands)
{
    return strstr(operands, "tmm")   ? TILE_BITS
           : strstr(operands, "zmm") ? 512
           : strstr(operands, "ymm") ? 256
           : strstr(operands, "xmm") ? 128
                                     : 0;
}

static void count(struct vector_list *l, const char *name, int bits)
{
    unsigned i = 0;
    while (i < l->count && (l->item[i].bits != bits || strcmp(l->item[i].name, name) != 0))
        i++;
    if (i == VECTORS_MOST)
        return;
    if (i == l->count) {
        l->count++;
        l->item[i].bits = bits;
        snprintf(l->item[i].name, sizeof l->item[i].name, "%.*s", VECTOR_NAME - 1, name);
    }
    l->item[i].count++;
}

/* Sums of products that older versions of Capstone do not know: VNNI, bfloat16 and AMX. The first
 * bytes of an instruction are its prefix: C4 (VEX) or 62 (EVEX), then the map of operations, W and
 * pp, for EVEX one more byte; then the operation. Both formats have two bits for the width. */
static const char *newer_multiply(const unsigned char *p, size_t n, int *bits)
{
    enum { VEX = 0xc4, EVEX = 0x62, MAP = 0x7, MAP_0F38 = 2, PP = 3, OPERATION_MOST = 5 };
    enum { BOTH, ONLY_VEX, ONLY_EVEX };
    static const struct {
        unsigned char format, operation, pp;
        const char *name;
    } known[] = {
        {BOTH, 0x50, 1, "vpdpbusd"},       {BOTH, 0x51, 1, "vpdpbusds"},
        {BOTH, 0x52, 1, "vpdpwssd"},       {BOTH, 0x53, 1, "vpdpwssds"},
        {ONLY_EVEX, 0x52, 2, "vdpbf16ps"}, {ONLY_VEX, 0x5c, 2, "tdpbf16ps"},
        {ONLY_VEX, 0x5c, 3, "tdpfp16ps"},  {ONLY_VEX, 0x5e, 0, "tdpbuud"},
        {ONLY_VEX, 0x5e, 1, "tdpbusd"},    {ONLY_VEX, 0x5e, 2, "tdpbsud"},
        {ONLY_VEX, 0x5e, 3, "tdpbssd"},
    };
    if (n < OPERATION_MOST || (p[0] != VEX && p[0] != EVEX) || (p[1] & MAP) != MAP_0F38)
        return NULL;
    const bool evex = p[0] == EVEX;
    const unsigned char operation = evex ? p[4] : p[3];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].operation != operation || known[i].pp != (p[2] & PP) ||
            known[i].format == (evex ? ONLY_VEX : ONLY_EVEX))
            continue;
        *bits = known[i].name[0] == 't' ? TILE_BITS
                : evex                  ? 128 << (p[3] >> 5 & 3)
                                        : 128 << (p[2] >> 2 & 1);
        return known[i].name;
    }
    return NULL;
}

static void examine(csh decoder, cs_insn *insn, const unsigned char *code, size_t n,
                    uint64_t address, struct vectors *v)
{
    while (cs_disasm_iter(decoder, &code, &n, &address, insn)) {
        int bits = width(insn->op_str);
        if (insn->id == 0) { /* not an instruction that Capstone knows; it goes on a byte later */
            const char *newer = newer_multiply(code - insn->size, n + insn->size, &bits);
            if (newer)
                count(&v->multiply, newer, bits);
            continue;
        }
        const char *name = insn->mnemonic + (insn->mnemonic[0] == 'v');
        if (!bits)
            continue;
        if (is_multiply(name))
            count(&v->multiply, insn->mnemonic, bits);
        else if (is_add(name))
            count(&v->add, insn->mnemonic, bits);
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
    for (unsigned i = 0; i < VECTORS_MOST; i++) {
        v->multiply.item[i].name[VECTOR_NAME - 1] = '\0';
        v->add.item[i].name[VECTOR_NAME - 1] = '\0';
    }
    return v->known && v->multiply.count <= VECTORS_MOST && v->add.count <= VECTORS_MOST;
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
