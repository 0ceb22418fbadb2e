/*
 * file.h - a kernel in a file: a YAML file that an instructor writes beside the assignment, and a
 * trusted source, which gives the right answers. docs/kernels.md is the reference for the format.
 *
 * What other code sees is kernel.h. Three things are different: there is no expect(), because right
 * answers come from a process of the trusted source; values and extents follow from text; and
 * operations are what the file says.
 */
#ifndef KERNEL_FILE_H
#define KERNEL_FILE_H

#include "base/err.h"
#include "kernel/generator.h"
#include "kernel/kernel.h"
#include "kernel/output_rule.h"
#include "kernel/prototype.h"

enum { KERNEL_FILE_KINDS = 16, KERNEL_FILE_EDGES = 96, KERNEL_FILE_BYTES = 1 << 20 };

/* A small input, and the result that the instructor expects: a block (outputs.h). The arrays belong
 * to it. */
enum { KERNEL_FILE_EXAMPLES = 16, KERNEL_EXAMPLE_DIM = 100 };
struct kernel_example {
    struct shape shape;
    void *in[KERNEL_FILE_INPUTS], *out;
    int line[KERNEL_MAX_OUTPUTS]; /* of each result, in the file */
};

/* A source that makes a usual mistake, and what to say to students whose results are the same. */
enum { KERNEL_FILE_MISTAKES = 8, KERNEL_MISTAKE_SAYS = 160 };
struct kernel_mistake {
    char *source, *says;
};

/* Dimensions, operands and the text of a check. */
enum { KERNEL_CHECK_ARGUMENTS = SHAPE_DIMS + KERNEL_MAX_INPUTS + 1 };

struct kernel_file {
    struct kernel kernel; /* its strings and lists belong to this file */
    char *path, *name;    /* "kernels/dot.yaml", "dot.yaml" */
    char *about;          /* for students; "": nothing */
    struct prototype prototype;
    enum element_type *types; /* that T can be; the kernel is for one of them */
    unsigned types_count;
    enum element_type chosen; /* that T is */
    char *function;
    struct extents input_size[KERNEL_FILE_INPUTS], output_size[KERNEL_MAX_OUTPUTS];
    struct output_rule rule[KERNEL_MAX_OUTPUTS];
    struct call_argument argument[PROTOTYPE_PARAMETERS];
    struct expression operations, terms; /* without steps: not given */
    struct value_kind kind[KERNEL_FILE_KINDS];
    enum value_dist values[KERNEL_FILE_KINDS];
    struct generators generators[KERNEL_FILE_KINDS][KERNEL_FILE_INPUTS];
    bool exact; /* all results are, whatever the values */
    struct shape edges[KERNEL_FILE_EDGES];
    char *trusted;         /* name of the trusted source, which lies beside the file */
    char *trusted_compile; /* its compile command */
    char *check;           /* name of the source of the check; NULL: there is none */
    /* The check as a kernel (file_check.c). Its inputs: those of the kernel, the outputs, the right
     * outputs. Its outputs: not 0 for yes; CHECK_WHY characters. */
    struct kernel checker;
    char *check_function;
    struct call_argument check_argument[KERNEL_CHECK_ARGUMENTS];
    char *maker; /* name of the source that makes values (`call`); NULL: there is none */
    /* Its function as a kernel (file_maker.c). Its inputs: the name of the kind, the key; its
     * outputs: the inputs of the kernel. */
    struct kernel making;
    char *making_function;
    struct call_argument making_argument[PROTOTYPE_PARAMETERS + 2];
    char *second; /* name of another source that computes the same; NULL: there is none */
    struct kernel_mistake mistake[KERNEL_FILE_MISTAKES];
    int mistakes;
    struct kernel_example example[KERNEL_FILE_EXAMPLES];
    int examples;
};

/* Files of it that a run needs: the kernel file, its sources but the second one. NULL-terminated.
 */
enum { KERNEL_FILE_PARTS = 5 + KERNEL_FILE_MISTAKES };
void kernel_file_parts(const struct kernel_file *f, const char *name[KERNEL_FILE_PARTS]);

/* Does a C function make input i in this kind of values? i < 0: does it make any? */
bool kernel_file_calls(const struct kernel_file *f, enum value_dist values, int i);
/* May a problem combine inputs that were made for several problems? One input does not, and a
 * function that makes several of them may make one for the other. */
bool kernel_inputs_mix(const struct kernel *k);

/* Does the text of an assignment mean a file, not the name of a built-in kernel? */
bool kernel_file_is_meant(const char *text);

/* Read a file. type: what T stands for, NULL where the assignment does not say it. The caller frees
 * *out with kernel_file_free(). -1 with a reason that names file, line and field. */
int kernel_file_load(const char *path, const char *type, struct kernel_file **out, struct err *e);
void kernel_file_free(struct kernel_file *f);

/* The prototype for the type that T stands for, and a line end. The caller frees it. */
char *kernel_file_prototype(const struct kernel_file *f);
/* What each rank of MPI has of the operands, as sentences. The caller frees it. */
char *kernel_file_ranks(const struct kernel_file *f);
/* The header that students include, "dot.h". The caller frees it. */
char *kernel_file_header(const struct kernel_file *f);

#endif
