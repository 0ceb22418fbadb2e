/* instruction_sets.h - which vector instructions a tier is compiled for, in words. */
#ifndef BUILD_INSTRUCTION_SETS_H
#define BUILD_INSTRUCTION_SETS_H

/* From the options of a compile command: "AVX2 and FMA only (-mavx2 -mfma)". NULL: for the
 * processor of the node, or for another one by name. The caller frees it. */
char *instruction_sets_text(const char *compile);

/* If the first error of a compiler's log is that a function needs instructions for which the code
 * is not compiled: what to say of it. Otherwise NULL. The caller frees it. */
char *instruction_sets_missing(const char *log, const char *compile);

#endif
