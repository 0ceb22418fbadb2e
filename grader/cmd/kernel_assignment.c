#include "cmd/kernel_assignment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "base/yaml_read.h"
#include "kernel/file.h"
#include "model/assignment_fields.h"

/* The operands of the largest case that is made up have at most so many bytes. */
#define BYTES_MOST 64e6

/* What a YAML file has: a copy of `key`, or of the first item of that list. NULL: it has none. */
static char *text_of(const char *path, const char *key)
{
    struct err ignored = ERR_INIT;
    FREED_BY(yaml_close) struct yaml_file f = {0};
    char *text = NULL;
    if (yaml_open(&f, path, &ignored) != 0)
        return NULL;
    const struct yaml_at root = yaml_root(&f);
    const bool map = root.node && root.node->type == YAML_MAPPING_NODE;
    struct yaml_at at = map ? yaml_get(&root, key) : (struct yaml_at){.file = &f};
    if (at.node && at.node->type == YAML_SEQUENCE_NODE && yaml_count(&at))
        at = yaml_item(&at, 0);
    if (yaml_present(&at))
        text = yaml_words(&at, "");
    return text;
}

static bool has(const char *path, const char *key)
{
    char *text = text_of(path, key);
    free(text);
    return text != NULL;
}

static bool is_yaml(const char *name)
{
    const char *dot = strrchr(name, '.');
    return *name != '.' && dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0);
}

/* Does this assignment name the kernel file? */
static bool names(const char *assignment, const char *file)
{
    OWNED char *text = text_of(assignment, "kernel");
    OWNED char *meant = text && kernel_file_is_meant(text) ? path_beside(assignment, text) : NULL;
    OWNED char *one = meant ? realpath(meant, NULL) : NULL, *other = realpath(file, NULL);
    return one && other && strcmp(one, other) == 0;
}

/* The first assignment in a directory that names the file, in alphabetical order, or NULL. */
static char *find_in(const char *dir, const char *file)
{
    char **name, *found = NULL;
    size_t count;
    if (fs_list(dir, &name, &count, NULL) != 0)
        return NULL;
    for (size_t i = 0; i < count && !found; i++) {
        char *path = !is_yaml(name[i])       ? NULL
                     : strcmp(dir, ".") == 0 ? xstrdup(name[i])
                                             : xasprintf("%s/%s", dir, name[i]);
        if (path && names(path, file))
            found = path;
        else
            free(path);
    }
    fs_list_free(name, count);
    return found;
}

/* The directory that holds a path. The caller frees it. */
static char *above_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *last = slash ? slash + 1 : path;
    if (strcmp(path, ".") == 0)
        return xstrdup("..");
    if (strcmp(last, ".") == 0 || strcmp(last, "..") == 0 || !*last)
        return xasprintf("%s/..", path);
    return slash ? xasprintf("%.*s", (int)(slash - path), path) : xstrdup(".");
}

static char *find(const char *file)
{
    OWNED char *dir = above_of(file), *above = above_of(dir);
    char *found = find_in(dir, file);
    if (!found)
        found = find_in(above, file);
    return found;
}

/* --- an assignment that is made up ------------------------------------------------------------ */

/* Sizes up to this one. */
static int usual_size(const struct kernel *k)
{
    static const int size[] = {300, 100, 30, 10};
    int i = 0;
    while (i < 3 && (kernel_takes(k, kernel_cube(k, size[i]), NULL) != 0 ||
                     kernel_bytes(k, kernel_cube(k, size[i])) > BYTES_MOST))
        i++;
    return size[i];
}

static void add_tier(struct strbuf *to, const char *name, const char *more, const char *source)
{
    strbuf_addf(to,
                "  - {name: %s, %ssources: [%s], points: {correct: 1}, "
                "compile: \"cc -fPIC -shared -I{abi} -o {out} {src}\"}\n",
                name, more, source);
}

static char *made_up_text(const char *absolute, const struct kernel_file *f, const char *type)
{
    struct strbuf sb = STRBUF_INIT;
    const int most = usual_size(&f->kernel);
    strbuf_addf(&sb, "name: exercise\ntitle: %s\nkernel: \"", f->prototype.name);
    for (const char *c = absolute; *c; c++)
        strbuf_addf(&sb, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    strbuf_addf(&sb, "\"\n%s%s\n", type ? "type: " : "", type ? type : "");
    strbuf_addf(&sb,
                "reference: .\nbaseline: naive\nyardstick: naive\n"
                "correctness: {max: %d}\nperformance: {sizes: [%d]}\ntiers:\n",
                most, most);
    add_tier(&sb, "naive", "", "naive.c");
    add_tier(&sb, "openmp", "", "openmp.c");
    add_tier(&sb, "mpi", "kind: mpi, launcher: \"mpirun -n {ranks}\", ", "mpi.c");
    add_tier(&sb, "cuda", "kind: cuda, yardstick: cuda, ", "cuda.cu");
    return strbuf_detach(&sb);
}

static int make_up(const char *file, struct kernel_assignment *k, struct err *e)
{
    OWNED char *type = text_of(file, "types"), *absolute = fs_absolute(file), *text = NULL;
    struct kernel_file *f = NULL;
    int rc = kernel_file_load(file, type, &f, e);
    if (rc == 0) {
        k->made_up = xasprintf("%s/paragrade-kernel-XXXXXX", fs_tmpdir());
        if (!mkdtemp(k->made_up)) {
            free(k->made_up);
            k->made_up = NULL;
            rc = err_system(e, "%s: cannot create a directory there", fs_tmpdir());
        }
    }
    if (rc == 0) {
        text = made_up_text(absolute, f, type);
        k->path = xasprintf("%s/assignment.yaml", k->made_up);
        rc = fs_write_atomic(k->path, text, strlen(text), e);
    }
    kernel_file_free(f);
    return rc;
}

int kernel_assignment_find(const char *file, struct kernel_assignment *k, struct err *e)
{
    *k = (struct kernel_assignment){0};
    if (!has(file, "function") || has(file, "tiers")) {
        k->path = xstrdup(file);
        return 0;
    }
    k->path = find(file);
    if (k->path)
        fprintf(stderr, "paragrade: %s: with the cases and tiers of %s\n", file, k->path);
    else
        fprintf(stderr,
                "paragrade: %s: no assignment beside it or above names it, so the cases are the "
                "usual ones, and tiers and points are not known\n",
                file);
    return k->path ? 0 : make_up(file, k, e);
}

void kernel_assignment_end(struct kernel_assignment *k)
{
    if (k->made_up)
        fs_remove_tree(k->made_up, NULL);
    free(k->made_up);
    free(k->path);
    *k = (struct kernel_assignment){0};
}
