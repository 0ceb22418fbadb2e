/* What a set of protections means, and when one that is required is lacking. */
#include "base/strbuf.h"
#include "unit.h"

#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "model/protection.h"

enum {
    LANDLOCK = PROTECTION_BIT(PROTECTION_LANDLOCK),
    TRUNCATE = PROTECTION_BIT(PROTECTION_TRUNCATE),
    SCOPES = PROTECTION_BIT(PROTECTION_SCOPES),
    SECCOMP = PROTECTION_BIT(PROTECTION_SECCOMP),
    SUBREAPER = PROTECTION_BIT(PROTECTION_SUBREAPER),
};

TEST(landlock_versions)
{
    static const struct {
        int version;
        unsigned gives;
    } table[] = {
        {-1, 0},
        {0, 0},
        {1, LANDLOCK},
        {2, LANDLOCK},
        {3, LANDLOCK | TRUNCATE},
        {5, LANDLOCK | TRUNCATE},
        {6, LANDLOCK | TRUNCATE | SCOPES},
        {99, LANDLOCK | TRUNCATE | SCOPES},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (protection_of_landlock(table[i].version) != table[i].gives)
            fail_msg("version %d", table[i].version);
}

TEST(required)
{
    static const struct {
        unsigned required, have;
        const char *lacking; /* NULL: nothing */
    } table[] = {
        {0, 0, NULL},
        {0, LANDLOCK, NULL},
        {LANDLOCK, LANDLOCK, NULL},
        {LANDLOCK, LANDLOCK | SECCOMP, NULL},
        {LANDLOCK, 0, "(protections: landlock);"},
        {LANDLOCK, SECCOMP, "(protections: landlock);"},
        {LANDLOCK, TRUNCATE | SCOPES, "(protections: landlock);"},
        {LANDLOCK | SECCOMP, LANDLOCK, "(protections: seccomp);"},
        {LANDLOCK | SECCOMP | SUBREAPER, SUBREAPER, "(protections: landlock, seccomp);"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct err e = ERR_INIT;
        int rc = protection_check(table[i].required, table[i].have, "the node n1", &e);
        assert_int_equal(rc, table[i].lacking ? -1 : 0);
        if (!table[i].lacking)
            continue;
        assert_int_equal(e.kind, ERR_SYSTEM); /* nobody's fault */
        if (strncmp(e.text, "the node n1 lacks ", 18) != 0 || !strstr(e.text, table[i].lacking))
            fail_msg("%zu: %s", i, e.text);
    }
}

/* Every protection says what it means to be without it, and all of them fit into one message. */
TEST(all_lacking)
{
    struct err e = ERR_INIT;
    assert_int_equal(protection_check(~0U, 0, "this machine", &e), -1);
    assert_true(strlen(e.text) < sizeof e.text - 1);
    for (int i = 0; i < PROTECTION_COUNT; i++) {
        assert_non_null(strstr(e.text, protection_lack((enum protection)i)));
        enum protection p = PROTECTION_COUNT;
        assert_true(protection_parse(protection_name((enum protection)i), &p));
        assert_int_equal(p, i);
    }
    enum protection p;
    assert_false(protection_parse("", &p));
    assert_false(protection_parse("Landlock", &p));
}

TEST(sets)
{
    OWNED char *text = protection_text(LANDLOCK | SECCOMP, " "), *none = protection_text(0, " ");
    assert_string_equal(text, "landlock seccomp");
    assert_string_equal(none, "");
    json_auto_t *list = protection_json(LANDLOCK | SECCOMP), *empty = protection_json(0);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(json_string_value(json_array_get(list, 1)), "seccomp");
    assert_true(json_is_array(empty) && !json_array_size(empty));
    int set;
    assert_true(protection_from_json(list, &set) && set == (LANDLOCK | SECCOMP));
    assert_true(protection_from_json(empty, &set) && set == 0);
    /* A system call filter that compilers had would keep them from starting their parts. */
    assert_false(protection_of_compilers() & SECCOMP);
    assert_true(protection_of_compilers() & LANDLOCK);
}

TEST(sets_from_json)
{
    static const struct {
        const char *json;
        bool fine;
        int set;
    } table[] = {
        {"null", true, PROTECTIONS_UNKNOWN},
        {"[]", true, 0},
        {"[\"seccomp\", \"seccomp\"]", true, SECCOMP},
        {"[\"seccomp\", \"unknown\"]", false, 0},
        {"[1]", false, 0},
        {"[null]", false, 0},
        {"{}", false, 0},
        {"\"landlock\"", false, 0},
        {"1", false, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        json_auto_t *j = json_loads(table[i].json, JSON_DECODE_ANY, NULL);
        int set = 77;
        bool fine = protection_from_json(j, &set);
        if (fine != table[i].fine || (fine && set != table[i].set))
            fail_msg("%s", table[i].json);
    }
    int set;
    assert_false(protection_from_json(NULL, &set)); /* no such field */
}

/* What a unit had: of the filter only drivers can tell, of everything else both must have had it.
 */
TEST(from_beginning_to_end)
{
    static const struct {
        unsigned built, ran;
        int throughout;
    } table[] = {
        {0, ~0U, 0},
        {LANDLOCK | SUBREAPER, ~0U, LANDLOCK | SUBREAPER}, /* did not compile */
        {LANDLOCK, LANDLOCK | SECCOMP, LANDLOCK | SECCOMP},
        {LANDLOCK, LANDLOCK, LANDLOCK},
        {LANDLOCK, SECCOMP, SECCOMP},
        {0, LANDLOCK | SECCOMP, SECCOMP},
        {LANDLOCK, 0, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (protection_throughout(table[i].built, table[i].ran) != table[i].throughout)
            fail_msg("row %zu", i);
}

/* What is in force is what this process made of what the machine could give. */
TEST(process)
{
    assert_false(protection_of_process() & SUBREAPER);
    assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
    assert_true(protection_of_process() & SUBREAPER);
    assert_int_equal(protection_of_process() & ~protection_of_machine(), 0);
    assert_int_equal(!(protection_of_machine() & PROTECTION_BIT(PROTECTION_UNPRIVILEGED)),
                     geteuid() == 0);
}

TESTS(NULL, NULL)
