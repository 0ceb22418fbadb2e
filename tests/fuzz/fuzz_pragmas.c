/* A student's source, any bytes. */
#include "base/strbuf.h"
#include "build/pragmas.h"
#include "fuzz.h"

static void look(const struct pragma_hit *h, void *arg)
{
    const unsigned *lines = arg;
    FUZZ_ASSERT(h->line >= 1 && h->line <= *lines);
    FUZZ_ASSERT(!h->change || !h->include);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OWNED char *text = fuzz_string(data, size);
    unsigned lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    pragmas_scan(text, size, look, &lines);
    return 0;
}
