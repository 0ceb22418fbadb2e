/* Rehearsals: mutants are whole submissions, and stay in their directories. */
#include "unit.h"

#include "plan/rehearsal.h"

#include "test_dir.h"

static const char assignment[] = "name: t\n"
                                 "kernel: gemm\n"
                                 "type: i32\n"
                                 "seed: 42\n"
                                 "reference: ref\n"
                                 "baseline: naive\n"
                                 "yardstick: naive\n"
                                 "tiers:\n"
                                 "  - name: naive\n"
                                 "    sources: [naive.c]\n"
                                 "    compile: cc -o {out} {src}\n";

TEST_WITH(headers_in_other_directories, test_dir_clear, NULL)
{
    put_at("a.yaml", assignment);
    put_at("outside.h", "/* not handed in */");
    put_at("ref/lib/deep/own.h", "/* handed in */");
    put_at("ref/naive.c", "#include \"lib/deep/own.h\"\n#include \"../outside.h\"\n"
                          "void f(int M) { for (int i = 0; i < M; i++) g(i); }\n");
    OWNED char *file = at("a.yaml"), *to = at("mutants");
    const struct rehearsal_request q = {.assignment = file, .seed = 1, .most = 1};
    FREED_BY(rehearsal_free) struct rehearsal r = {0};
    struct err e = ERR_INIT;
    if (rehearsal_make(&q, &r, &e) != 0 || rehearsal_write(&r, NULL, false, to, &e) != 0)
        fail_msg("%s", e.text);
    assert_int_equal(r.count, 1);
    assert_true(exists_at("mutants/m001/naive.c"));
    assert_true(exists_at("mutants/m001/lib/deep/own.h"));
    assert_false(exists_at("mutants/outside.h"));
}

TESTS(test_dir_make, test_dir_remove)
