/* Configuration files of a site, bad ones first: each must be refused with file, line and field. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/site.h"

#include "test_dir.h"

TEST_FILE("site.yaml")

static int read_text(struct site *s, const char *text, struct err *e)
{
    assert_int_equal(fs_write_atomic(file, text, strlen(text), NULL), 0);
    return site_read(s, file, e);
}

TEST(refused)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"- partition\n", ":1: expected a mapping"},
        {"partition\n", ":1: expected a mapping"},
        {"\npartitoin: cpu\n", ":2: unknown key 'partitoin'; did you mean 'partition'?"},
        {"nice: 1\nnice: 2\n", ":2: the key 'nice' is given twice"},
        {"partition:\n", ":1: field 'partition': is empty"},
        {"partition: [a, b]\n", ":1: field 'partition': is a list"},
        {"partition: a b\n", ":1: field 'partition': 'a b' contains a blank"},
        {"account: --wrap\n", ":1: field 'account': '--wrap' begins with a dash"},
        {"qos: \"a\\tb\"\n", ":1: field 'qos': "},
        {"nice: -5\n", ":1: field 'nice': -5 is not between 0 and 19"},
        {"nice: 20\n", ":1: field 'nice': 20 is not between 0 and 19"},
        {"nice: low\n", ":1: field 'nice': "},
        {"scratch: tmp/x\n", ":1: field 'scratch': 'tmp/x' is no absolute path"},
        {"scratch: \"/a\\nb\"\n", ":1: field 'scratch': "},
        {"modules: {gcc: 13}\n", ":1: field 'modules': is a mapping"},
        {"modules:\n  - gcc\n  - -x\n", ":3: field 'modules[1]': '-x' begins with a dash"},
        {"modules: [gcc, [mpi]]\n", ":1: field 'modules[1]': is a list"},
        {"memory: 4G\n", ":1: field 'memory': '4G' is not one of: per-node, per-core, not-asked"},
        {"modules: gcc openmpi\n", ":1: field 'modules': 'gcc openmpi' contains a blank"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(site_free) struct site s = {0};
        struct err e = ERR_INIT;
        if (read_text(&s, table[i].text, &e) != -1)
            fail_msg("'%s' was taken", table[i].text);
        if (!strstr(e.text, table[i].says) || strncmp(e.text, file, strlen(file)) != 0)
            fail_msg("'%s' says '%s'", table[i].text, e.text);
        assert_int_equal(e.kind, ERR_INPUT);
        for (int x = 0; x < SITE_SETTINGS; x++)
            assert_null(s.value[x]); /* half a file changes nothing */
    }
}

static void value_is(const struct site *s, enum site_setting x, const char *value)
{
    if (!value)
        assert_null(s->value[x]);
    else
        assert_string_equal(s->value[x] ? s->value[x] : "(none)", value);
    assert_true(!s->value[x] == !s->from[x]);
}

TEST(comments_set_nothing)
{
    FREED_BY(site_free) struct site s = {0};
    struct err e = ERR_INIT;
    assert_int_equal(read_text(&s, "# partition: cpu\n\n   # nice: 3", &e), 0);
    assert_int_equal(read_text(&s, "", &e), 0);
    assert_int_equal(site_read(&s, "/nonexistent/paragrade.yaml", &e), 1);
    for (int x = 0; x < SITE_SETTINGS; x++)
        value_is(&s, (enum site_setting)x, NULL);
}

TEST(later_layers_replace_single_settings)
{
    FREED_BY(site_free) struct site s = {0}, given = {0};
    struct err e = ERR_INIT;
    assert_int_equal(
        read_text(&s, "partition: cpu\nmodules: [gcc/13, openmpi]\nnice: 10\nscratch: /s d\n", &e),
        0);
    value_is(&s, SITE_MODULES, "gcc/13 openmpi");
    value_is(&s, SITE_SCRATCH, "/s d");
    char *from = xasprintf("%s:2", file);
    assert_string_equal(s.from[SITE_MODULES], from);
    free(from);
    assert_int_equal(read_text(&s, "modules: []\nnice: 0\n", &e), 0);
    value_is(&s, SITE_MODULES, "");
    value_is(&s, SITE_NICE, "0");
    value_is(&s, SITE_PARTITION, "cpu");
    value_is(&s, SITE_QOS, NULL);
    assert_int_equal(site_set(&given, SITE_MODULES, "llvm", "--module", &e), 0);
    assert_int_equal(site_set(&given, SITE_MODULES, "cuda/12", "--module", &e), 0);
    site_lay_over(&s, &given);
    value_is(&s, SITE_MODULES, "llvm cuda/12");
    assert_string_equal(s.from[SITE_MODULES], "--module");
    value_is(&s, SITE_PARTITION, "cpu");
}

TEST(a_stored_value_is_restored)
{
    FREED_BY(site_free) struct site s = {0};
    struct err e = ERR_INIT;
    assert_int_equal(site_restore(&s, SITE_MODULES, "gcc openmpi", "f", &e), 0);
    value_is(&s, SITE_MODULES, "gcc openmpi");
    assert_int_equal(site_restore(&s, SITE_MODULES, "", "f", &e), 0);
    value_is(&s, SITE_MODULES, "");
    assert_int_equal(site_restore(&s, SITE_SCRATCH, "/a b", "f", &e), 0);
    value_is(&s, SITE_SCRATCH, "/a b");
    assert_int_equal(site_restore(&s, SITE_MODULES, "gcc -x", "f", &e), -1);
    assert_int_equal(site_restore(&s, SITE_NICE, "99", "f", &e), -1);
}

TESTS(setup, teardown)
