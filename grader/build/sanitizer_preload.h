/* sanitizer_preload.h - what must be loaded before a library that was built for AddressSanitizer.
 */
#ifndef BUILD_SANITIZER_PRELOAD_H
#define BUILD_SANITIZER_PRELOAD_H

/* The value of LD_PRELOAD, which the caller frees. NULL: the library needs no AddressSanitizer;
 * then its compiler expects it in the program that loads it. */
char *sanitizer_preload(const char *library);

#endif
