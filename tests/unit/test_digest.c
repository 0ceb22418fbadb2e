/* SHA-256 as others compute it, and digests that people type. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/fsio.h"
#include "base/strbuf.h"

TEST(not_digests)
{
    static const char *const table[] = {
        "",
        "0",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015a",
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015add",
        "ga7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        " a7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        "0xba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015",
    };
    char out[DIGEST_HEX];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (digest_parse(table[i], out))
            fail_msg("'%s' was taken", table[i]);
    assert_int_not_equal(digest_file("/nonexistent", out, NULL), 0);
    assert_int_not_equal(digest_file("/", out, NULL), 0);
}

/* FIPS 180-4's examples, by way of every other implementation. */
TEST(known)
{
    static const struct {
        const char *text, *digest;
    } table[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    };
    char out[DIGEST_HEX], path[] = "/tmp/test_digest.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t n = strlen(table[i].text);
        digest_bytes(table[i].text, n, out);
        assert_string_equal(out, table[i].digest);
        assert_int_equal(fs_write_atomic(path, table[i].text, n, NULL), 0);
        assert_int_equal(digest_file(path, out, NULL), 0);
        assert_string_equal(out, table[i].digest);
    }
    /* More than is read at once. */
    enum { MANY = 200003 };
    OWNED char *many = xcalloc(MANY, 1);
    char whole[DIGEST_HEX];
    many[MANY - 1] = 1;
    digest_bytes(many, MANY, whole);
    assert_int_equal(fs_write_atomic(path, many, MANY, NULL), 0);
    assert_int_equal(digest_file(path, out, NULL), 0);
    assert_string_equal(out, whole);
    unlink(path);
    assert_true(
        digest_parse("BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD", out));
    assert_string_equal(out, table[1].digest);
    /* Of eight bytes: af5570f5a1810b7a... */
    assert_true(digest_word(0) == UINT64_C(0x7a0b81a1f57055af));
    assert_true(digest_word(1) != digest_word(UINT64_C(1) << 56));
}

TESTS(NULL, NULL)
