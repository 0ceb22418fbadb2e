/* What addr2line prints. A student chooses the names in it, for example with #line. */
#include <ctype.h>
#include <string.h>

#include "base/strbuf.h"
#include "build/source_line.h"
#include "fuzz.h"

static void check_name(const char *name)
{
    FUZZ_ASSERT(memchr(name, '\0', SOURCE_NAME_MOST) && name[0]);
    for (; *name; name++)
        FUZZ_ASSERT(isprint((unsigned char)*name));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OWNED char *text = fuzz_string(data, size);
    struct source_line at;
    memset(&at, 'x', sizeof at);
    if (source_line_read(text, "/own", &at)) {
        check_name(at.function);
        check_name(at.file);
        FUZZ_ASSERT(at.line > 0);
    }
    return 0;
}
