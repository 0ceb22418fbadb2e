#include "rundir/tools.h"

#include <stdlib.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/install.h"
#include "base/strbuf.h"
#include "base/version.h"

json_t *tools_json(void)
{
    json_t *tools = json_pack("{s:s}", "paragrade", PARAGRADE_VERSION);
    char *dir = install_path("libexec/paragrade"), **names;
    size_t n;
    if (fs_list(dir, &names, &n, NULL) == 0) {
        for (size_t i = 0; i < n; i++) {
            char *path = xasprintf("%s/%s", dir, names[i]), digest[DIGEST_HEX];
            if (digest_file(path, digest, NULL) == 0)
                json_object_set_new(tools, names[i], json_string(digest));
            free(path);
        }
        fs_list_free(names, n);
    }
    free(dir);
    return tools;
}
