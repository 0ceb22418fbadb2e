/* source_name.h - the language of a source file, by its name. */
#ifndef MODEL_SOURCE_NAME_H
#define MODEL_SOURCE_NAME_H

#include <stdbool.h>

bool source_is_cxx(const char *name);    /* .cpp .cc .cxx */
bool source_is_header(const char *name); /* .h .hpp .cuh */

#endif
