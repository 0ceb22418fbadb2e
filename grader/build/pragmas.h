/*
 * pragmas.h - find places where a source changes the compiler's options, which the tier's command
 * should determine: #pragma GCC optimize, target and push_options, _Pragma() of these, and the
 * attributes optimize, target, target_clones, target_version, and clang's for several processors.
 * Assembler evades them, if it is more than the few instructions that C has no words for.
 *
 * The text is read before macros and conditions. So what a macro contains is found where the macro
 * is defined, and what #if leaves out is found as well. expand.h finds what macros make.
 * Like the check of functions in symbols.h, this is no protection.
 */
#ifndef BUILD_PRAGMAS_H
#define BUILD_PRAGMAS_H

#include <stdbool.h>
#include <stddef.h>

/* One thing that was found in a text. */
struct pragma_hit {
    unsigned line;       /* from 1 */
    const char *change;  /* "#pragma GCC optimize", "__attribute__((target))"; NULL: none */
    const char *include; /* an included file; "" when a macro names it; NULL: none */
    bool evades;         /* the change is none: the options do not matter */
    bool asks;           /* it is not included: __has_include() asks whether it exists */
};

/* Call f for each hit. Where C and C++ read a text differently (raw strings, trigraphs), every
 * reading is tried. Pure. */
void pragmas_scan(const char *text, size_t n, void (*f)(const struct pragma_hit *h, void *arg),
                  void *arg);

#endif
