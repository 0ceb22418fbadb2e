#include "execute/proctor_program.h"

#include <stdlib.h>

#include "base/install.h"
#include "base/strbuf.h"

char *execute_proctor(void)
{
    const char *fake = getenv("PARAGRADE_PROCTOR");
    return fake && *fake ? xstrdup(fake) : install_path("libexec/paragrade/proctor");
}
