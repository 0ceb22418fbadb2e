#include "base/digest.h"

#include <nettle/sha2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"

enum { FILE_MOST = 1 << 30 };

_Static_assert(DIGEST_HEX == 2 * SHA256_DIGEST_SIZE + 1, "two digits a byte");

static void sum_of(const void *data, size_t len, uint8_t sum[SHA256_DIGEST_SIZE])
{
    struct sha256_ctx ctx;
    sha256_init(&ctx);
    sha256_update(&ctx, len, data);
    sha256_digest(&ctx, SHA256_DIGEST_SIZE, sum);
}

uint64_t digest_word(uint64_t x)
{
    uint8_t bytes[sizeof x], sum[SHA256_DIGEST_SIZE];
    uint64_t word = 0;
    for (size_t i = 0; i < sizeof x; i++)
        bytes[i] = (uint8_t)(x >> 8 * i);
    sum_of(bytes, sizeof bytes, sum);
    for (size_t i = sizeof word; i-- > 0;)
        word = word << 8 | sum[i];
    return word;
}

void digest_bytes(const void *data, size_t len, char out[DIGEST_HEX])
{
    uint8_t sum[SHA256_DIGEST_SIZE];
    sum_of(data, len, sum);
    for (size_t i = 0; i < sizeof sum; i++)
        snprintf(out + 2 * i, 3, "%02x", sum[i]);
}

int digest_file(const char *path, char out[DIGEST_HEX], struct err *e)
{
    char *data;
    size_t len;
    if (fs_read(path, FILE_MOST, &data, &len, e) != 0)
        return -1;
    digest_bytes(data, len, out);
    free(data);
    return 0;
}

bool digest_parse(const char *text, char out[DIGEST_HEX])
{
    if (strlen(text) != DIGEST_HEX - 1 || text[strspn(text, "0123456789abcdefABCDEF")])
        return false;
    for (size_t i = 0; i < DIGEST_HEX; i++)
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'F' ? text[i] - 'A' + 'a' : text[i]);
    return true;
}
