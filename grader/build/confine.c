#include "build/confine.h"

#include <sys/resource.h>
#include <unistd.h>

#include "supervise/sandbox.h"

/* No honest library of a course is larger. The limit protects the node's disk. */
enum { OBJECT_MOST = 256 << 20 };

/* Address space of one compiler process. Honest sources need most of it under nvcc. */
#define COMPILER_MEMORY ((rlim_t)4 << 30)

void confine(void *sandbox)
{
    const int *domain = sandbox;
    struct rlimit core = {0, 0}, file = {OBJECT_MOST, OBJECT_MOST};
    struct rlimit memory = {COMPILER_MEMORY, COMPILER_MEMORY};
    setrlimit(RLIMIT_AS, &memory);
    setrlimit(RLIMIT_CORE, &core);
    setrlimit(RLIMIT_FSIZE, &file);
    if (sandbox_enter(*domain, 0) != 0)
        _exit(126);
}
