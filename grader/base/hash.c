#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/fsio.h"

enum { FILE_MOST = 1 << 30 };

void hash_bytes(const void *data, size_t len, char out[HASH_HEX])
{
    XXH128_canonical_t c;
    XXH128_canonicalFromHash(&c, XXH3_128bits(data, len));
    for (size_t i = 0; i < sizeof c.digest; i++)
        snprintf(out + 2 * i, 3, "%02x", c.digest[i]);
}

uint64_t hash_64(const void *data, size_t len)
{
    return XXH3_64bits(data, len);
}

int hash_file(const char *path, char out[HASH_HEX], struct err *e)
{
    char *data;
    size_t len;
    if (fs_read(path, FILE_MOST, &data, &len, e) != 0)
        return -1;
    hash_bytes(data, len, out);
    free(data);
    return 0;
}
