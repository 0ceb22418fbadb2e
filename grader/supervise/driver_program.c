#include "supervise/driver_program.h"

#include "base/install.h"

static const char *driver_part(enum launch_kind kind)
{
    switch (kind) {
    case LAUNCH_CPU:
        return "libexec/paragrade/driver-cpu";
    case LAUNCH_MPI:
        return "libexec/paragrade/driver-mpi";
    case LAUNCH_CUDA:
        return "libexec/paragrade/driver-cuda";
    case LAUNCH_OPENACC:
        return "libexec/paragrade/driver-openacc";
    }
    return "";
}

char *driver_program(enum launch_kind kind)
{
    return install_path(driver_part(kind));
}
