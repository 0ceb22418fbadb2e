/* file_read.h - parts of a kernel file, for file.c, which reads the whole. */
#ifndef KERNEL_FILE_READ_H
#define KERNEL_FILE_READ_H

#include "base/yaml_read.h"
#include "kernel/file.h"

/* The name of the result of the function, in the file and in messages. */
#define FILE_RESULT "return"

/* `function` and `types` (file_function.c); type: what T stands for. */
void file_read_function(const struct yaml_at *root, struct kernel_file *f, const char *type);
/* Names of parameters that the header adds to some functions (file_function.c). All is read. */
void file_refuse_names(const struct yaml_at *root, const struct kernel_file *f);
/* `operands` (file_operands.c): how large each is. The function is read already. */
void file_read_operands(const struct yaml_at *root, struct kernel_file *f);
/* `compare` (file_compare.c): before the values. */
void file_read_compare(const struct yaml_at *root, struct kernel_file *f);
/* `check` of `trusted` (file_check.c), after `compare`. */
void file_read_check(const struct yaml_at *trusted, struct kernel_file *f);
/* `values` of `trusted` (file_maker.c), after the other `values`. */
void file_read_maker(const struct yaml_at *trusted, struct kernel_file *f);
/* `values` and `timed` (file_values.c). The operands are read already. */
void file_read_values(const struct yaml_at *root, struct kernel_file *f);
/* `edges` (file_edges.c), and those that every kernel has. All but the examples is read already. */
void file_read_edges(const struct yaml_at *root, struct kernel_file *f);
/* `examples` (file_examples.c). The operands are read already. */
void file_read_examples(const struct yaml_at *root, struct kernel_file *f);
void file_free_examples(struct kernel_file *f);

#endif
