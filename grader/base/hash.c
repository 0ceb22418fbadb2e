#include "base/hash.h"

#include <stdio.h>
#include <xxhash.h>

#include "base/random.h"

void hash_bytes(const void *data, size_t len, char out[HASH_HEX])
{
    XXH128_canonical_t c;
    XXH128_canonicalFromHash(&c, XXH3_128bits(data, len));
    for (size_t i = 0; i < sizeof c.digest; i++)
        snprintf(out + 2 * i, 3, "%02x", c.digest[i]);
}

uint64_t hash_secret(const void *data, size_t len)
{
    static uint64_t secret;
    while (!secret)
        secret = random_word();
    return XXH3_64bits_withSeed(data, len, secret);
}

uint64_t hash_64(const void *data, size_t len)
{
    return XXH3_64bits(data, len);
}
