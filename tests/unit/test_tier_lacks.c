/* What a machine lacks for a tier, and the hint that goes with it. */
#include "unit.h"

#include "model/tier_lacks.h"

#include "test_dir.h"

TEST(requirements)
{
    OWNED char *file = at("here"), *gone = at("gone");
    assert_int_equal(fs_write_atomic(file, "", 0, NULL), 0);
    OWNED char *no_file = xasprintf("this machine has no %s: mount it", gone);
    char none[] = "no-such-command-here", sh[] = "sh", buy[] = "buy one", mount[] = "mount it";
    const struct {
        struct requirement r[2];
        const char *says;
    } table[] = {
        {{{.command = none, .hint = buy}}, "this machine has no no-such-command-here: buy one"},
        {{{.command = none}}, "this machine has no no-such-command-here"},
        {{{.command = sh}, {.file = gone, .hint = mount}}, no_file},
        {{{.command = sh, .file = gone, .hint = mount}}, no_file},
        {{{.file = gone, .hint = mount}, {.command = none}}, no_file}, /* the first of them */
        {{{.command = sh, .hint = buy}, {.file = file}}, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct requirement r[2] = {table[i].r[0], table[i].r[1]};
        OWNED char *missing =
            tier_lacks_to_build(&(struct tier){.requires = r, .requires_count = 2});
        if (missing ? !table[i].says || strcmp(missing, table[i].says) != 0 : !!table[i].says)
            fail_msg("row %zu: %s", i, missing ? missing : "nothing");
    }
    assert_null(tier_lacks_to_build(&(struct tier){0}));
}

/* Before a run is planned for nodes, only the driver is looked for; only a run needs the device. */
TEST(when_it_is_needed)
{
    char none[] = "no-such-command-here";
    struct requirement r = {.command = none, .to_run = true};
    const struct tier t = {.requires = &r, .requires_count = 1};
    assert_null(tier_lacks_to_build(&t));
    OWNED char *missing = tier_lacks_to_run(&t);
    assert_string_equal(missing, "this machine has no no-such-command-here");
    r.to_run = false;
    assert_null(tier_lacks_driver(&t));
}

TESTS(test_dir_make, test_dir_remove)
