/* confine.h - compilers, and tools that read what compilers made, are confined in the same way. */
#ifndef BUILD_CONFINE_H
#define BUILD_CONFINE_H

/* Set limits and enter a sandbox. For proc_spec.prepare; `sandbox` points at a descriptor of
 * sandbox_prepare(). */
void confine(void *sandbox);

#endif
