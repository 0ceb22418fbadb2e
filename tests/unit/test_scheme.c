/* Names of files as the platforms write them. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "base/strbuf.h"
#include "import/attempt.h"
#include "import/scheme.h"

static struct naming naming(enum scheme s, char *prefix)
{
    return (struct naming){.scheme = s, .prefix = prefix};
}

TEST(directories_without_files)
{
    static const struct {
        enum scheme scheme;
        const char *directory, *student; /* NULL: no submission */
    } table[] = {
        {SCHEME_MOODLE, "notes", NULL},
        {SCHEME_GRADESCOPE, "submission_x", NULL},
        {SCHEME_GITHUB, "gemm-", NULL},
        {SCHEME_GITHUB, "other-anna", NULL},
        {SCHEME_CANVAS, "work", NULL},
        {SCHEME_MOODLE, "Anna Jones_11_assignsubmission_file_", "11"},
        {SCHEME_GRADESCOPE, "submission_12", "12"},
        {SCHEME_GITHUB, "gemm-anna", "anna"},
        {SCHEME_DIRECTORIES, "anna", "anna"},
        {SCHEME_DIRECTORIES, "anna.zip", "anna.zip"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char prefix[] = "gemm-";
        const struct naming n = naming(table[i].scheme, prefix);
        FREED_BY(handed_in_free) struct handed_in h = {0};
        const bool read = scheme_read_empty(&n, table[i].directory, &h);
        if (read != (table[i].student != NULL))
            fail_msg("%s: %d", table[i].directory, read);
        if (read) {
            assert_string_equal(h.student, table[i].student);
            assert_string_equal(h.file, "");
        }
    }
}

TEST(refused_names)
{
    static const struct {
        enum scheme scheme;
        const char *path;
    } table[] = {
        {SCHEME_CANVAS, ""},
        {SCHEME_CANVAS, "naive.c"},
        {SCHEME_CANVAS, "jonesanna_12345_naive.c"},
        {SCHEME_CANVAS, "jonesanna_12345_678910_"},
        {SCHEME_CANVAS, "jonesanna_12345_678910"},
        {SCHEME_CANVAS, "_12345_678910_naive.c"},
        {SCHEME_CANVAS, "jonesanna_LATE_naive.c"},
        {SCHEME_CANVAS, "jonesanna_x1_678910_naive.c"},
        {SCHEME_BLACKBOARD, "gemm-s1001_attempt_2024-03-12_naive.c"},
        {SCHEME_BLACKBOARD, "gemm-s1001_attempt_2024-03-12-10-11-12"},
        {SCHEME_BLACKBOARD, "gemm-s1001_attempt_2024-03-12-10-11-12_"},
        {SCHEME_BLACKBOARD, "gemm-s1001_attempt_2024-13-12-10-11-12_naive.c"},
        {SCHEME_BLACKBOARD, "gemm-_attempt_2024-03-12-10-11-12_naive.c"},
        {SCHEME_BLACKBOARD, "gemm-s1001_attempt_2024-03-12-10-11-12_../naive.c"},
        {SCHEME_BRIGHTSPACE, "90210-73001 - Ada Berg - Mar 12, 2024 1011 AM"},
        {SCHEME_BRIGHTSPACE, "90210-73001 - Mar 12, 2024 1011 AM/naive.c"},
        {SCHEME_BRIGHTSPACE, "90210-73001 - Ada Berg - Mar 12, 2024 1011/naive.c"},
        {SCHEME_BRIGHTSPACE, "90210-73001 - Ada Berg - Abc 12, 2024 1011 AM/naive.c"},
        {SCHEME_BRIGHTSPACE, "Ada Berg - Mar 12, 2024 1011 AM/naive.c"},
        {SCHEME_CANVAS, "jonesanna_12345_678910_/naive.c"},
        {SCHEME_CANVAS, "jonesanna_12345_678910_.."},
        {SCHEME_CANVAS, "jonesanna_12345_678910_../naive.c"},
        {SCHEME_CANVAS, "jonesanna_12345_678910_.imported"},
        {SCHEME_CANVAS, "jonesanna_12345_678910_hw/.git/config"},
        {SCHEME_MOODLE, "Anna Jones_1234567_file_/naive.c"},
        {SCHEME_MOODLE, "Anna Jones_assignsubmission_file_/naive.c"},
        {SCHEME_MOODLE, "_1234567_assignsubmission_file_/naive.c"},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_file_"},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_file_/"},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_filex/naive.c"},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_file_../naive.c"},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_file_/../../naive.c"},
        {SCHEME_GRADESCOPE, "submission_12345678"},
        {SCHEME_GRADESCOPE, "submission_/naive.c"},
        {SCHEME_GRADESCOPE, "submission_1234x678/naive.c"},
        {SCHEME_GRADESCOPE, "submission_metadata.yml"},
        {SCHEME_GRADESCOPE, "submission_12345678/.DS_Store"},
        {SCHEME_GITHUB, "gemm-/naive.c"},
        {SCHEME_GITHUB, "other-anna/naive.c"},
        {SCHEME_GITHUB, "gemm-anna/.git/config"},
        {SCHEME_GITHUB, "gemm-anna"},
        {SCHEME_DIRECTORIES, "naive.c"},
        {SCHEME_DIRECTORIES, ".zip"},
        {SCHEME_DIRECTORIES, ".tar.gz"},
        {SCHEME_DIRECTORIES, "/naive.c"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char prefix[] = "gemm-";
        const struct naming n = naming(table[i].scheme, prefix);
        struct handed_in h;
        if (scheme_read(&n, table[i].path, &h))
            fail_msg("%s was read", table[i].path);
        assert_null(h.student);
    }
}

TEST(names)
{
    static const struct {
        enum scheme scheme;
        const char *path, *student, *name, *file;
        bool late;
        long long number;
    } table[] = {
        {SCHEME_CANVAS, "jonesanna_12345_678910_naive.c", "12345", "jonesanna", "naive.c", false,
         678910},
        {SCHEME_CANVAS, "jonesanna_LATE_12345_678910_naive-2.c", "12345", "jonesanna", "naive.c",
         true, 678910},
        {SCHEME_CANVAS, "jonesanna_12345_678910_naive-12.c", "12345", "jonesanna", "naive.c", false,
         678910},
        {SCHEME_CANVAS, "jonesanna_12345_678910_gemm-2026.c", "12345", "jonesanna", "gemm-2026.c",
         false, 678910},
        {SCHEME_CANVAS, "jonesanna_12345_678910_tile-0.c", "12345", "jonesanna", "tile-0.c", false,
         678910},
        {SCHEME_CANVAS, "jonesanna_12345_678910_hw.tar-1.gz", "12345", "jonesanna", "hw.tar.gz",
         false, 678910},
        {SCHEME_CANVAS, "jonesanna_12345_678910_Makefile-1", "12345", "jonesanna", "Makefile",
         false, 678910},
        {SCHEME_CANVAS, "jonesanna_12345_678910_my_1_2_file.c", "12345", "jonesanna",
         "my_1_2_file.c", false, 678910},
        {SCHEME_CANVAS, "m\xc3\xbcllermia_12346_9_hw 1-1.zip", "12346", "m\xc3\xbcllermia",
         "hw 1.zip", false, 9},
        {SCHEME_CANVAS, "anon_ab12_12346_9_a.c", "12346", "anon_ab12", "a.c", false, 9},
        {SCHEME_CANVAS, "jonesanna_12345_99999999999999999999_a.c", "12345", "jonesanna", "a.c",
         false, INT64_MAX},
        {SCHEME_CANVAS, "jonesanna_12345_678910_hw/src/a-1.c", "12345", "jonesanna", "hw/src/a-1.c",
         false, 678910},
        {SCHEME_CANVAS, "jonesanna_12345_text.html", "12345", "jonesanna", "", false, 0},
        {SCHEME_CANVAS, "jonesanna_LATE_12345_link.html", "12345", "jonesanna", "", true, 0},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_file_/naive.c", "1234567",
         "Anna Jones", "naive.c", false, 0},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_file/src/naive.c", "1234567",
         "Anna Jones", "src/naive.c", false, 0},
        {SCHEME_MOODLE, "J\xc3\xbcrgen_M O'Neil_7_assignsubmission_file_naive.c", "7",
         "J\xc3\xbcrgen_M O'Neil", "naive.c", false, 0},
        {SCHEME_MOODLE, "Anna Jones_1234567_assignsubmission_onlinetext_/onlinetext.html",
         "1234567", "Anna Jones", "", false, 0},
        {SCHEME_MOODLE, "Participant_1234567_assignsubmission_file_/naive.c", "1234567",
         "Participant 1234567", "naive.c", false, 0},
        {SCHEME_MOODLE, "A_1_assignsubmission_file_/x_2_assignsubmission_file_/n.c", "1", "A",
         "x_2_assignsubmission_file_/n.c", false, 0},
        {SCHEME_MOODLE, "Anna Jones_1_assignsubmission_file_x_7654321_assignsubmission_file_n.c",
         "1", "Anna Jones", "x_7654321_assignsubmission_file_n.c", false, 0},
        {SCHEME_MOODLE, "x_assignsubmission_y_1_assignsubmission_file_n.c", "1",
         "x_assignsubmission_y", "n.c", false, 0},
        {SCHEME_GRADESCOPE, "submission_12345678/src/naive.c", "12345678", "", "src/naive.c", false,
         12345678},
        {SCHEME_GITHUB, "gemm-mary-ann/naive.c", "mary-ann", "", "naive.c", false, 0},
        {SCHEME_GITHUB, "gemm-mary-ann/.git", "mary-ann", "", "", false, 0},
        {SCHEME_DIRECTORIES, "mw12/naive.c", "mw12", "", "naive.c", false, 0},
        {SCHEME_DIRECTORIES, "mw12.tar.gz", "mw12", "", "mw12.tar.gz", false, 0},
        {SCHEME_DIRECTORIES, "anna.jones.zip", "anna.jones", "", "anna.jones.zip", false, 0},
        {SCHEME_DIRECTORIES, "anna.jones.tar.xz", "anna.jones", "", "anna.jones.tar.xz", false, 0},
        {SCHEME_DIRECTORIES, "anna.tar.7z", "anna.tar", "", "anna.tar.7z", false, 0},
        {SCHEME_DIRECTORIES, "tar.gz", "tar", "", "tar.gz", false, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char prefix[] = "gemm-";
        const struct naming n = naming(table[i].scheme, prefix);
        FREED_BY(handed_in_free) struct handed_in h = {0};
        if (!scheme_read(&n, table[i].path, &h))
            fail_msg("%s was not read", table[i].path);
        assert_string_equal(h.student, table[i].student);
        assert_string_equal(h.name, table[i].name);
        assert_string_equal(h.file, table[i].file);
        assert_int_equal(h.late, table[i].late);
        assert_int_equal(h.number, table[i].number);
    }
}

enum { PATHS_MOST = 8 };

static size_t length(const char *const *paths)
{
    size_t n = 0;
    while (n < PATHS_MOST && paths[n])
        n++;
    return n;
}

TEST(unrecognised)
{
    static const struct {
        const char *paths[PATHS_MOST];
        enum scheme wanted;
        const char *says;
    } table[] = {
        {{NULL}, SCHEME_COUNT, "holds no files"},
        {{"alice/naive.c", "bob/naive.c"}, SCHEME_COUNT, "'alice/naive.c'"},
        {{"alice/naive.c"}, SCHEME_CANVAS, "scheme of canvas"},
        {{"a_1_2_x.c", "alice/naive.c", "alice/simd.c"}, SCHEME_COUNT, "no platform"},
        {{"gemm-anna/naive.c", "gemm-anna/.git"}, SCHEME_COUNT, "--prefix"},
        {{"anna/naive.c", "bob/naive.c", "anna/.git", "bob/.git"}, SCHEME_COUNT, "--prefix"},
        {{"s1001_attempt_2024-03-12-10-11-12_naive.c"}, SCHEME_COUNT, "--prefix"},
        {{"Lab_s1_attempt_2024-03-12-10-11-12.txt", "Quiz_s1_attempt_2024-03-12-10-11-12.txt"},
         SCHEME_COUNT,
         "of one assignment"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct naming n;
        struct err e = ERR_INIT;
        assert_int_equal(scheme_recognise((char *const *)table[i].paths, length(table[i].paths),
                                          table[i].wanted, NULL, &n, &e),
                         -1);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, table[i].says))
            fail_msg("'%s' lacks '%s'", e.text, table[i].says);
        assert_null(n.prefix);
    }
}

TEST(recognised)
{
    static const struct {
        const char *paths[PATHS_MOST];
        enum scheme wanted;
        const char *given;
        enum scheme scheme;
        unsigned depth;
        const char *prefix;
    } table[] = {
        ROW({"jonesanna_12345_678910_naive.c"}, SCHEME_COUNT, NULL, SCHEME_CANVAS, 0, NULL),
        ROW({"submissions/a_1_2_x.c", "submissions/b_LATE_1_2_x.c"}, SCHEME_COUNT, NULL,
            SCHEME_CANVAS, 1, NULL),
        ROW({"A B_1_assignsubmission_file_/x.c", "readme.txt"}, SCHEME_COUNT, NULL, SCHEME_MOODLE,
            0, NULL),
        ROW({"assignment_9_export/submission_1/x.c", "assignment_9_export/submission_metadata.yml"},
            SCHEME_COUNT, NULL, SCHEME_GRADESCOPE, 1, NULL),
        ROW({"c/gemm-anna/x.c", "c/gemm-bob/x.c", "c/gemm-anna/.git", "c/gemm-bob/.git"},
            SCHEME_COUNT, NULL, SCHEME_GITHUB, 1, "gemm-"),
        ROW({"my-hw-1-mary-ann/x.c", "my-hw-1-mary-ann/.git", "my-hw-1-bob/.git"}, SCHEME_COUNT,
            NULL, SCHEME_GITHUB, 0, "my-hw-1-"),
        ROW({"hw-mary-ann/x.c", "hw-mary-bob/x.c"}, SCHEME_GITHUB, "hw-", SCHEME_GITHUB, 0, "hw-"),
        ROW({"Lab_3_s1_attempt_2024-03-12-10-11-12.txt",
             "Lab_3_s_2_attempt_2024-03-12-10-11-12_x.c"},
            SCHEME_COUNT, NULL, SCHEME_BLACKBOARD, 0, "Lab_3_"),
        ROW({"d/Lab_3_s1_attempt_2024-03-12-10-11-12_x.c"}, SCHEME_COUNT, NULL, SCHEME_BLACKBOARD,
            1, "Lab_3_"),
        ROW({"alice/naive.c", "bob.zip"}, SCHEME_DIRECTORIES, NULL, SCHEME_DIRECTORIES, 0, NULL),
        ROW({"alice/a_1_2_x.c", "bob/x.c"}, SCHEME_CANVAS, NULL, SCHEME_CANVAS, 1, NULL),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        FREED_BY(naming_free) struct naming n = {0};
        struct err e = ERR_INIT;
        if (scheme_recognise((char *const *)table[i].paths, length(table[i].paths), table[i].wanted,
                             table[i].given, &n, &e) != 0)
            fail_msg("%s: %s", table[i].paths[0], e.text);
        assert_int_equal(n.scheme, table[i].scheme);
        assert_int_equal(n.depth, table[i].depth);
        if (table[i].prefix)
            assert_string_equal(n.prefix, table[i].prefix);
        else
            assert_null(n.prefix);
    }
}

TEST(ids)
{
    static const struct {
        const char *name, *platform_id, *id;
    } table[] = {
        {"jonesanna", "12345", "jonesanna-12345"},
        {"Anna  M. Jones", "7", "Anna-M.-Jones-7"},
        {"J\xc3\xbcrgen", "7", "J-rgen-7"},
        {"\xe7\x8e\x8b", "7", "7"},
        {"..", "7", "7"},
        {"", "mary-ann", "mary-ann"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *id = attempt_id(table[i].name, table[i].platform_id);
        assert_string_equal(id, table[i].id);
        assert_true(identifier_ok(id));
    }
    /* What had to be changed gets a hash, so that two students are never one. */
    static const char *const odd[] = {"a b",      "a-b", "a  b", "-a-b", "\xc3\xa4",
                                      "\xc3\xb6", "..",  "a.b",  "-",    "A b"};
    char *made[sizeof odd / sizeof odd[0]];
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++) {
        made[i] = attempt_id("", odd[i]);
        assert_true(identifier_ok(made[i]));
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(made[k], made[i]);
    }
    for (size_t i = 0; i < sizeof odd / sizeof odd[0]; i++)
        free(made[i]);
    OWNED char *many = xcalloc(1000, 1);
    memset(many, 'x', 999);
    OWNED char *id = attempt_id(many, many);
    assert_true(identifier_ok(id));
}

/* Of the attempts of a student, the one that counts is first. */
TEST(which_counts)
{
    static const int64_t deadline = 100;
    static const struct {
        struct attempt a, b; /* .number tells them apart: b has the larger one */
        const int64_t *deadline;
        long long counts; /* number */
        bool too_late;
    } table[] = {
        ROW({.number = 1}, {.number = 2}, NULL, 2, false),
        ROW({.number = 1, .late = true}, {.number = 2, .late = true}, NULL, 2, false),
        ROW({.number = 1}, {.number = 2, .late = true}, NULL, 2, false),
        ROW({.number = 1}, {.number = 2, .late = true}, &deadline, 1, false),
        ROW({.number = 1, .late = true}, {.number = 2, .late = true}, &deadline, 2, true),
        ROW({.number = 1, .timed = true, .submitted = 90},
            {.number = 2, .timed = true, .submitted = 80}, &deadline, 1, false),
        ROW({.number = 1, .timed = true, .submitted = 101},
            {.number = 2, .timed = true, .submitted = 80}, &deadline, 2, false),
        ROW({.number = 1, .timed = true, .submitted = 100},
            {.number = 2, .timed = true, .submitted = 101}, &deadline, 1, false),
        ROW({.number = 1, .timed = true, .submitted = 102},
            {.number = 2, .timed = true, .submitted = 101}, &deadline, 1, true),
        /* The time is better than the platform's mark: the deadline may have been moved. */
        ROW({.number = 1, .timed = true, .submitted = 99, .late = true},
            {.number = 2, .timed = true, .submitted = 101, .late = true}, &deadline, 1, false),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            char id[] = "anna";
            struct attempt item[2] = {table[i].a, table[i].b};
            if (swapped) {
                item[0] = table[i].b;
                item[1] = table[i].a;
            }
            item[0].id = item[1].id = id;
            struct attempts all = {item, 2};
            attempts_sort(&all, table[i].deadline);
            if (item[0].number != table[i].counts)
                fail_msg("row %zu: %lld counts", i, item[0].number);
            assert_int_equal(attempt_too_late(&item[0], table[i].deadline), table[i].too_late);
        }
}

/* Names put together at random from what the schemes look for: what is read is safe to use as a
 * path. */
TEST(any_name)
{
    static const char *const pieces[] = {"_",     "/",     ".",           "..",
                                         "-",     "1",     "23",          "a",
                                         "LATE",  "_1_2_", "submission_", "_assignsubmission_",
                                         "file_", "gemm-", ".c",          ".zip",
                                         "\\",    "\xff",  " ",           "text.html"};
    uint32_t state = 1;
    size_t read = 0;
    for (int i = 0; i < 200000; i++) {
        FREED_BY(strbuf_free) struct strbuf name = STRBUF_INIT;
        for (int k = 0; k < 8; k++) {
            state = state * 1664525U + 1013904223U;
            strbuf_adds(&name, pieces[(state >> 16) % (sizeof pieces / sizeof pieces[0])]);
        }
        char prefix[] = "gemm-";
        const struct naming n = naming((enum scheme)(i % SCHEME_COUNT), prefix);
        struct handed_in h;
        if (scheme_read(&n, name.s, &h)) {
            read++;
            OWNED char *id = attempt_id(h.name, h.student);
            if (!identifier_ok(id) || h.file[0] == '.' || h.file[0] == '/' ||
                strstr(h.file, "/.") || strstr(h.file, "//"))
                fail_msg("'%s' gives id '%s' and file '%s'", name.s, id, h.file);
            handed_in_free(&h);
        }
    }
    assert_true(read > 1000);
}

TESTS(NULL, NULL)
