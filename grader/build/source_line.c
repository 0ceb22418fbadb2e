/*
 * addr2line reads a file whose contents a student controls. So it runs in the sandbox of compilers,
 * for a few seconds at most, and its output is not trusted either.
 */
#include "build/source_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/proc.h"
#include "base/strbuf.h"
#include "build/confine.h"
#include "build/elf_image.h"
#include "supervise/environment.h"

enum { TOOL_LIMIT_MS = 5000, OUTPUT_MOST = 1 << 16 };

/* The executable part of a library: a program header. False if there is none, or more than one. */
static bool code_of(const struct elf_image *m, Elf64_Phdr *code)
{
    unsigned found = 0;
    for (unsigned i = 0; m->bytes && i < m->header.e_phnum; i++) {
        Elf64_Phdr p;
        if (!elf_program_header(m, i, &p))
            return false;
        if (p.p_type != PT_LOAD || !(p.p_flags & PF_X))
            continue;
        *code = p;
        found++;
    }
    return found == 1 && code->p_offset <= m->size && code->p_filesz <= m->size - code->p_offset;
}

bool source_line_same_code(const char *library, const char *other)
{
    struct elf_image a = {0}, b = {0};
    Elf64_Phdr x, y;
    struct err ignored = ERR_INIT;
    const bool same = elf_map(library, &a, &ignored) == 0 && elf_map(other, &b, &ignored) == 0 &&
                      code_of(&a, &x) && code_of(&b, &y) && x.p_vaddr == y.p_vaddr &&
                      x.p_filesz == y.p_filesz &&
                      memcmp(a.bytes + x.p_offset, b.bytes + y.p_offset, x.p_filesz) == 0;
    elf_unmap(&a);
    elf_unmap(&b);
    return same;
}

bool source_line_find(const struct sandbox_policy *policy, const char *dir, const char *library,
                      const uint64_t *place, int n, struct source_line *out)
{
    OWNED char *tool = proc_which("addr2line"), *own = realpath(dir, NULL);
    if (!tool)
        return false;
    OWNED_TEXTS char **env = environment_make(&(struct environment){.scratch = dir});
    struct proc_argv line = {.word = NULL};
    const char *const options[] = {tool, "-a", "-i", "-f", "-C", "-e", library};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        proc_argv_push(&line, xstrdup(options[i]));
    for (int i = 0; i < n && place[i] != UINT64_MAX; i++)
        proc_argv_push(&line, xasprintf("0x%llx", (unsigned long long)place[i]));
    const char *readable[] = {dir, NULL};
    int sandbox = sandbox_prepare(&(struct sandbox_spec){.policy = policy, .readable = readable});
    const struct proc_spec spec = {.argv = line.word,
                                   .env = env,
                                   .cwd = dir,
                                   .output_max = OUTPUT_MOST,
                                   .timeout_ms = TOOL_LIMIT_MS,
                                   .prepare = confine,
                                   .prepare_arg = &sandbox};
    struct proc_result r = {.out = STRBUF_INIT, .err = STRBUF_INIT};
    const bool known = proc_run(&spec, &r, NULL) == 0 && proc_ok(&r) &&
                       source_line_read(r.out.s, own ? own : dir, out);
    proc_result_free(&r);
    if (sandbox >= 0)
        close(sandbox);
    proc_argv_free(line.word);
    return known;
}
