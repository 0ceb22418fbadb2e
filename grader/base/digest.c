#include "base/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <nettle/base16.h>
#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <string.h>
#include <unistd.h>

#include "base/fsio.h"

_Static_assert(DIGEST_HEX == 2 * SHA256_DIGEST_SIZE + 1, "two digits a byte");

static void sum_of(const void *data, size_t len, uint8_t sum[SHA256_DIGEST_SIZE])
{
    struct sha256_ctx ctx;
    sha256_init(&ctx);
    sha256_update(&ctx, len, data);
    sha256_digest(&ctx, SHA256_DIGEST_SIZE, sum);
}

void digest_base64(const void *data, size_t len, char out[DIGEST_BASE64])
{
    uint8_t sum[SHA256_DIGEST_SIZE];
    sum_of(data, len, sum);
    base64_encode_raw(out, sizeof sum, sum);
    out[DIGEST_BASE64 - 1] = '\0';
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

static void print(const uint8_t sum[SHA256_DIGEST_SIZE], char out[DIGEST_HEX])
{
    base16_encode_update(out, SHA256_DIGEST_SIZE, sum);
    out[DIGEST_HEX - 1] = '\0';
}

void digest_bytes(const void *data, size_t len, char out[DIGEST_HEX])
{
    uint8_t sum[SHA256_DIGEST_SIZE];
    sum_of(data, len, sum);
    print(sum, out);
}

int digest_file(const char *path, char out[DIGEST_HEX], struct err *e)
{
    uint8_t piece[1 << 16], sum[SHA256_DIGEST_SIZE];
    struct sha256_ctx ctx;
    struct stat st;
    ssize_t n;
    const int fd = fs_open_regular(&(struct fs_name){AT_FDCWD, path, path}, 0, &st, e);
    if (fd < 0)
        return -1;
    sha256_init(&ctx);
    while ((n = read(fd, piece, sizeof piece)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0)
            sha256_update(&ctx, (size_t)n, piece);
    const int rc = n < 0 ? err_file(e, ERR_SYSTEM, path, errno) : 0;
    close(fd);
    sha256_digest(&ctx, sizeof sum, sum);
    if (rc == 0)
        print(sum, out);
    return rc;
}

bool digest_same_files(const char *a, const char *b)
{
    char x[DIGEST_HEX], y[DIGEST_HEX];
    return digest_file(a, x, NULL) == 0 && digest_file(b, y, NULL) == 0 && strcmp(x, y) == 0;
}

bool digest_parse(const char *text, char out[DIGEST_HEX])
{
    if (strlen(text) != DIGEST_HEX - 1 || text[strspn(text, "0123456789abcdefABCDEF")])
        return false;
    for (size_t i = 0; i < DIGEST_HEX; i++)
        out[i] = (char)(text[i] >= 'A' && text[i] <= 'F' ? text[i] - 'A' + 'a' : text[i]);
    return true;
}
