#include "supervise/driver_program.h"

#include "base/install.h"

char *driver_program(enum launch_kind kind)
{
    return install_path(launch_kind_info(kind)->program);
}
