/* source_name.h - the language of a source file, by its name. */
#ifndef MODEL_SOURCE_NAME_H
#define MODEL_SOURCE_NAME_H

#include <stdbool.h>

bool source_is_cxx(const char *name);    /* .cpp .cc .cxx */
bool source_is_header(const char *name); /* what sources include: .h .hh .hpp .inl .cuh ... */
bool source_is_code(const char *name);   /* C, C++ or CUDA, also by unusual suffixes; no header */
bool source_is_archive(const char *name);

/* Characters of names that are safe for compilers, in columns, in a Makefile, and in a shell where
 * somebody pastes a command. */
#define SOURCE_PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+-"
/* A relative path of such names, none of which starts with '-': none can be taken for an option. */
bool source_is_plain(const char *path);

/* The same, and no part is empty or begins with '.': it does not lead out of a directory. */
bool source_is_inside(const char *path);

/* The file name of an adapter beside a student's sources, but for its suffix. */
#define ADAPTER_NAME "paragrade_adapter"
enum { ADAPTER_MOST = 1 << 20 /* bytes */ };
bool source_is_adapter(const char *name); /* also anything in a directory of that name */

#endif
