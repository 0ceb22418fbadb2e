/* Planning: what is handed in is hostile, what is planned is exact. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "plan/planner.h"
#include "rundir/paths.h"
#include "rundir/plan.h"
#include "rundir/run.h"

#include "test_dir.h"

static const char assignment[] = "name: t\n"
                                 "kernel: gemm\n"
                                 "type: i32\n"
                                 "seed: 42\n"
                                 "reference: ref\n"
                                 "baseline: naive\n"
                                 "yardstick: naive\n"
                                 "limits: {source: 1000}\n"
                                 "tiers:\n"
                                 "  - name: naive\n"
                                 "    sources: [naive.c, naive.cpp]\n"
                                 "    compile: cc -o {out} {src}\n"
                                 "    compile_cxx: c++ -o {out} {src}\n"
                                 "  - name: simd\n"
                                 "    sources: [simd.c]\n"
                                 "    compile: cc -o {out} {src}\n"
                                 "  - name: ghost\n"
                                 "    sources: [ghost.c]\n"
                                 "    compile: cc -o {out} {src}\n"
                                 "    requires:\n"
                                 "      - {command: no-such-command-here, hint: buy one}\n"
                                 "profiles:\n"
                                 "  - {name: quick, random: 3}\n";

static int fresh(void **state)
{
    fs_remove_tree(test_dir, NULL);
    assert_int_equal(fs_mkdirs(test_dir, NULL), 0);
    put_at("a.yaml", assignment);
    put_at("ref/naive.c", "int ref;");
    put_at("ref/util.h", "/* header */");
    return 0;
}

struct request {
    const char *paths[4]; /* below test_dir */
    const char *tiers[4];
    const char *roster, *profile, *run_id, *size;
    bool without_reference, here;
};

/* What the roster names and the disk does not have; of the last create(). */
static struct strbuf absent = STRBUF_INIT;

static int create(const struct request *q, struct run *r, struct strbuf *notes, struct err *e)
{
    char *paths[4], *file = at("a.yaml"), *reports = at("reports"), *dir = NULL;
    OWNED char *roster = q->roster ? at(q->roster) : NULL;
    struct plan_request req = {.assignment = file,
                               .profile = q->profile,
                               .roster = roster,
                               .paths = paths,
                               .tiers = (char *const *)q->tiers,
                               .reports_dir = reports,
                               .run_id = q->run_id,
                               .size = q->size,
                               .with_reference = !q->without_reference,
                               .here = q->here,
                               .absent = &absent,
                               .notes = notes};
    strbuf_clear(&absent);
    while (req.paths_count < 4 && q->paths[req.paths_count]) {
        paths[req.paths_count] = at(q->paths[req.paths_count]);
        req.paths_count++;
    }
    while (req.tiers_count < 4 && q->tiers[req.tiers_count])
        req.tiers_count++;
    int rc = plan_create(&req, &dir, e);
    if (rc == 0 && r)
        assert_int_equal(run_open(dir, r, e), 0);
    for (size_t i = 0; i < req.paths_count; i++)
        free(paths[i]);
    free(dir);
    free(reports);
    free(file);
    return rc;
}

/* The run of a request that must succeed. */
static struct run created(const struct request *q, struct strbuf *notes)
{
    struct run r = {0};
    struct err e = ERR_INIT;
    if (create(q, &r, notes, &e) != 0) {
        fail_msg("%s", e.text);
        abort(); /* for analyzers: a test that failed does not go on */
    }
    return r;
}

static const struct unit *unit(const struct run *r, const char *id)
{
    int i = plan_unit(r->plan, id);
    if (i < 0)
        fail_msg("no unit %s", id);
    return &r->plan->units[i];
}

static bool copied(const struct run *r, const char *submission, const char *file)
{
    OWNED char *dir = rundir_sources(r->dir, submission), *path = xasprintf("%s/%s", dir, file);
    return fs_exists(path);
}

/* Nothing is left behind when planning fails. */
static void assert_no_run(void)
{
    OWNED char *reports = at("reports");
    OWNED_TEXTS char **names = NULL;
    size_t count = 0;
    if (fs_list(reports, &names, &count, NULL) == 0)
        assert_int_equal(count, 0);
}

TEST(bad_requests)
{
    put_at("s/alice/naive.c", "int x;");
    put_at("file", "not a directory");
    put_at("empty/README", "no sources, no directories");
    put_at("case/Simd.c", "int x;");
    put_at("suffix/naive.cc", "int x;");
    put_at("dup.csv", "submission\nalice\nalice\n");
    put_at("slash.csv", "submission\n../alice\n");
    put_at("columns.csv", "who,what\nalice,x\n");
    put_at("nobody.csv", "submission\n");
    put_at("blank.csv", "submission,x\n,1\n");
    static const struct {
        struct request q;
        const char *words;
    } row[] = {
        {{.paths = {NULL}, .without_reference = true}, "no submission"},
        {{.paths = {"nowhere"}}, "no such directory"},
        {{.paths = {"file"}}, "not a directory"},
        {{.paths = {"empty"}},
         "empty: holds neither source files of a tier nor directories; the source files are called "
         "naive.c, naive.cpp, simd.c, ghost.c"},
        {{.paths = {"case"}}, "nor directories; Simd.c is there: upper and lower case matter"},
        {{.paths = {"suffix"}}, "nor directories; naive.cc is there: rename it"},
        {{.paths = {"s"}, .tiers = {"nope"}}, "naive, simd, ghost"},
        {{.paths = {"s"}, .profile = "nope"}, "quick"},
        {{.paths = {"s"}, .run_id = "../x"}, "'../x'"},
        {{.paths = {"s"}, .run_id = "-x"}, "'-x'"},
        {{.paths = {"s"}, .run_id = ".x"}, "'.x'"},
        {{.paths = {"s"}, .run_id = ""}, "''"},
        {{.paths = {"s"}, .run_id = "a b"}, "'a b'"},
        {{.paths = {"s"}, .roster = "none.csv"}, "none.csv"},
        {{.paths = {"s"}, .roster = "dup.csv"}, "dup.csv:3"},
        {{.paths = {"s"}, .roster = "slash.csv"}, "slash.csv:2"},
        {{.paths = {"s"}, .roster = "columns.csv"}, "'submission', 'id' or 'name'"},
        {{.paths = {"s"}, .roster = "nobody.csv"}, "no students"},
        {{.paths = {"s"}, .roster = "blank.csv"}, "blank.csv:2"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct err e = ERR_INIT;
        if (create(&row[i].q, NULL, NULL, &e) == 0)
            fail_msg("row %zu was taken", i);
        assert_int_equal(e.kind, ERR_INPUT);
        if (!strstr(e.text, row[i].words))
            fail_msg("row %zu: \"%s\" does not say \"%s\"", i, e.text, row[i].words);
        assert_no_run();
    }
}

TEST(bad_reference)
{
    const struct request q = {.paths = {"s"}};
    struct err e = ERR_INIT;
    put_at("s/alice/naive.c", "int x;");
    OWNED char *dir = at("ref"), *source = at("ref/naive.c");
    unlink(source);
    assert_int_equal(create(&q, NULL, NULL, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_non_null(strstr(e.text, "cannot serve as baseline"));
    fs_remove_tree(dir, NULL);
    assert_int_equal(create(&q, NULL, NULL, &e), -1);
    assert_non_null(strstr(e.text, "no such directory"));
    assert_no_run();
}

/* The files of matrices are part of a run: it stays what it is when they change. */
TEST(matrices)
{
    const struct request q = {.paths = {"s"}, .size = "m/deep/a.mtx:8"};
    struct err e = ERR_INIT;
    FREED_BY(run_close) struct run again = {0};
    put_at("s/alice/naive.c", "int x;");
    put_at("a.yaml", "name: t\nkernel: spmm_csr\ntype: f64\nreference: ref\nbaseline: naive\n"
                     "yardstick: naive\nperformance: {sizes: [m/deep/a.mtx:8, link.mtx:3]}\n"
                     "tiers: [{name: naive, sources: [naive.c], compile: 'cc {out} {src}'}]\n");
    put_at("m/deep/a.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 4 2\n1 1\n3 4\n");
    OWNED char *link = at("link.mtx"), *m = at("m");
    assert_int_equal(symlink("m/deep/a.mtx", link), 0);
    FREED_BY(run_close) struct run r = created(&q, NULL);
    fs_remove_tree(m, NULL);
    assert_int_equal(run_open(r.dir, &again, &e), 0);
    const struct test_case *c = &again.cases.item[again.cases.count - 1];
    assert_string_equal(again.plan->only.size.structure.file, "m/deep/a.mtx");
    assert_int_equal(again.assignment->matrices->count, 2);
    assert_int_equal(c->kind, CASE_PERFORMANCE);
    assert_int_equal(c->shape.dim[1], 4);
    for (unsigned i = 0; i < 2; i++) {
        OWNED char *path = rundir_matrix(r.dir, again.assignment->matrices->matrix[i]);
        assert_true(fs_exists(path));
    }
    assert_int_equal(create(&q, NULL, NULL, &e), -1);
    assert_non_null(strstr(e.text, "m/deep/a.mtx: No such file or directory"));
}

/* A part of the class is not presented as the class: nobody else gets 0 points. */
TEST(part_of_the_class)
{
    FREED_BY(run_close) struct run r = {0};
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    put_at("s/alice/naive.c", "int x;");
    put_at("s/bob/naive.c", "int x;");
    put_at("class.csv", "submission,name\nbob,Bob\nalice,Alice A.\ncarol,Carol\n");
    const struct request q = {.paths = {"s/alice"}, .roster = "class.csv"};
    r = created(&q, &notes);
    assert_int_equal(r.plan->submissions_count, 2);
    assert_string_equal(r.plan->submissions[1].name, "Alice A.");
    assert_non_null(strstr(notes.s, "class.csv: 2 students are not graded"));
    assert_int_equal(absent.len, 0);
}

/* A source that is missing, and what is there in its place. */
TEST(other_names)
{
    static const struct {
        const char *file, *says;
    } row[] = {
        {"Naive.c",
         "there is no naive.c or naive.cpp; Naive.c is there: upper and lower case matter"},
        {"naive.cc", "; naive.cc is there: rename it"},
        {"src/naive.c", "; src/naive.c is there: the file must lie directly in the directory"},
        {"naive (1).c", "; naive (1).c is there: rename it"},
        {"Naive - Copy (2).cpp", "; Naive - Copy (2).cpp is there: rename it"},
        {"naive_final.c", "; naive_final.c is there: rename it"},
        {"naive.c.txt", "; naive.c.txt is there: rename it"},
        {"na\nive.c", "; na%0Aive.c is there: rename it, if it is meant"},
        {"hw 1.zip", "; hw 1.zip is there: unpack it"},
        {"h\033[1m.zip", "; h%1B%5B1m.zip is there: unpack it"},
        {"naiv.c", "; naiv.c is there: rename it, if it is meant"},
        {"naive_helper.c", "there is no naive.c or naive.cpp"},
        {"naive.txt", "there is no naive.c or naive.cpp"},
        {"naive.o", "there is no naive.c or naive.cpp"},
        {"notes/x.zip", "there is no naive.c or naive.cpp"},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        struct err e = ERR_INIT;
        FREED_BY(run_close) struct run r = {0};
        const struct request q = {.paths = {"s"}, .run_id = "r"};
        FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
        fresh(NULL);
        OWNED char *name = xasprintf("s/bob/%s", row[i].file);
        put_at(name, "int x;");
        if (create(&q, &r, &notes, &e) != 0)
            fail_msg("%s", e.text);
        const char *hint = strchr(row[i].says, ';');
        if (!strstr(notes.s, "bob: holds no source file of any tier") ||
            !strstr(notes.s, hint ? hint : "(they must lie directly in it)\n"))
            fail_msg("%s: note '%s'", row[i].file, notes.s);
        const struct unit *u = unit(&r, "bob.naive");
        const size_t n = strlen(u->message), tail = strlen(row[i].says);
        if (u->verdict != VERDICT_MISSING || n < tail ||
            strcmp(u->message + n - tail, row[i].says) != 0)
            fail_msg("%s: '%s'", row[i].file, u->message);
    }
    struct err e = ERR_INIT;
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    fresh(NULL);
    put_at("s/bob/naive.c", "int x;");
    put_at("s/bob/naive.cpp", "int x;");
    assert_int_equal(create(&(struct request){.paths = {"s"}}, NULL, &notes, &e), 0);
    assert_string_equal(notes.s, "bob: naive.c and naive.cpp are both there: naive.c is taken\n");
    strbuf_free(&notes);
    /* Beside other sources, too: the instructor can rename it before all is graded. */
    notes = (struct strbuf)STRBUF_INIT;
    fresh(NULL);
    put_at("s/bob/simd.c", "int x;");
    put_at("s/bob/naive (1).c", "int x;");
    assert_int_equal(create(&(struct request){.paths = {"s"}}, NULL, &notes, &e), 0);
    assert_string_equal(notes.s, "bob: there is no naive.c or naive.cpp; naive (1).c is there: "
                                 "rename it\n");
}

/* Courses whose submissions are whole repositories. */
TEST(in_a_directory)
{
    OWNED char *text = xasprintf("directory: p2/src\n%s", assignment), *link = at("s/eve/p2");
    FREED_BY(run_close) struct run r = {0};
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    put_at("a.yaml", text);
    put_at("s/bob/p2/src/naive.c", "int x;");
    put_at("s/bob/p2/src/inc/util.hh", "int x;");
    put_at("s/bob/p1/util.h", "int x;");
    put_at("s/amy/naive.c", "int x;");
    put_at("s/eve/readme", "");
    assert_int_equal(symlink("../bob/p2", link), 0);
    r = created(&(struct request){.paths = {"s"}}, &notes);
    assert_string_equal(unit(&r, "bob.naive")->source, "p2/src/naive.c");
    assert_string_equal(unit(&r, "reference.naive")->source, "naive.c");
    assert_true(copied(&r, "bob", "p2/src/naive.c"));
    assert_true(copied(&r, "bob", "p2/src/inc/util.hh"));
    assert_false(copied(&r, "bob", "p1/util.h"));
    assert_true(copied(&r, "reference", "util.h"));
    assert_string_equal(unit(&r, "amy.naive")->message,
                        "there is no p2/src/naive.c or p2/src/naive.cpp; naive.c is there: it must "
                        "be p2/src/naive.c");
    assert_non_null(strstr(notes.s, "amy: holds no source file of any tier (for example "
                                    "p2/src/naive.c); naive.c is there"));
    /* Not the work of somebody else. */
    assert_int_equal(unit(&r, "eve.naive")->verdict, VERDICT_MISSING);
    assert_non_null(strstr(unit(&r, "eve.naive")->message, "p2/src/naive.c cannot be read"));
    assert_false(copied(&r, "eve", "p2/src/naive.c"));
}

/* Everything that is not a regular file of the right name and size. */
TEST(hostile_files)
{
    char big[2000];
    memset(big, ' ', sizeof big);
    big[sizeof big - 1] = '\0';
    put_at("secret.c", "int secret;");
    put_at("s/link/simd.c", "int x;");
    put_at("s/fifo/simd.c", "int x;");
    put_at("s/dir/simd.c", "int x;");
    put_at("s/dir/naive.c/x", "int x;");
    put_at("s/big/naive.c", big);
    put_at("s/cxx/simd.cpp", "int x;");
    put_at("s/cxx/ghost.c", "int x;"); /* another tier's */
    put_at("s/after/naive.cpp", "int x;");
    put_at("s/extra/naive.c", "int x;");
    put_at("s/extra/naive.o", "binary");
    put_at("s/extra/a.out", "binary");
    put_at("s/extra/other.c", "int y;");
    put_at("s/extra/mine.h", "/* mine */");
    put_at("s/extra/mine.tpp", "/* mine */");
    put_at("s/extra/big.hpp", big);
    OWNED char *secret = at("secret.c"), *link = at("s/link/naive.c"), *fifo = at("s/fifo/naive.c"),
               *header = at("s/extra/stolen.h"), *first = at("s/after/naive.c");
    assert_int_equal(symlink(secret, link), 0);
    assert_int_equal(symlink(secret, header), 0);
    assert_int_equal(symlink("/nonexistent", first), 0);
    assert_int_equal(mkfifo(fifo, 0600), 0);

    static const struct {
        const char *unit;
        enum verdict verdict;
        const char *words;
    } row[] = {
        {"link.naive", VERDICT_FORBIDDEN, "symbolic link"},
        {"fifo.naive", VERDICT_FORBIDDEN, "not a regular file"},
        {"dir.naive", VERDICT_FORBIDDEN, "not a regular file"},
        {"big.naive", VERDICT_FORBIDDEN, "1999 bytes; the limit is 1000"},
        {"after.naive", VERDICT_FORBIDDEN, "symbolic link"}, /* not naive.cpp instead */
        {"extra.simd", VERDICT_MISSING, "there is no simd.c"},
        {"cxx.simd", VERDICT_MISSING,
         "there is no simd.c; simd.cpp is there: this tier takes only C"},
    };
    const struct request q = {.paths = {"s"}, .tiers = {"naive", "simd"}};
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    FREED_BY(run_close) struct run r = created(&q, &notes);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        const struct unit *u = unit(&r, row[i].unit);
        assert_true(u->preset);
        assert_int_equal(u->verdict, row[i].verdict);
        assert_null(u->source);
        if (!strstr(u->message, row[i].words))
            fail_msg("%s: \"%s\"", row[i].unit, u->message);
    }
    assert_false(unit(&r, "link.simd")->preset);
    assert_false(copied(&r, "link", "naive.c"));
    assert_false(copied(&r, "big", "naive.c"));
    assert_true(copied(&r, "extra", "naive.c"));
    assert_true(copied(&r, "extra", "mine.h"));
    assert_true(copied(&r, "extra", "mine.tpp"));
    assert_false(copied(&r, "extra", "stolen.h"));
    assert_false(copied(&r, "extra", "big.hpp"));
    assert_false(copied(&r, "extra", "naive.o"));
    assert_false(copied(&r, "extra", "a.out"));
    assert_false(copied(&r, "extra", "other.c"));
    assert_non_null(strstr(notes.s, "stolen.h left out"));
}

static void chown_to(const char *name, uid_t owner)
{
    OWNED char *path = at(name);
    assert_int_equal(chown(path, owner, (gid_t)-1), 0);
}

/* Who may link to a file need not be able to read it. */
TEST(hard_links)
{
    enum { STUDENT = 12345, SOMEBODY = 12346 };
    if (geteuid() != 0) {
        print_message("only root can give files away\n");
        skip();
    }
    static const char *const links[][2] = {{"secret.c", "s/thief/naive.c"},
                                           {"secret.c", "s/reader/stolen.h"},
                                           {"s/tidy/old.c", "s/tidy/naive.c"}};
    put_at("secret.c", "int secret;");
    put_at("s/thief/simd.c", "int x;");
    put_at("s/reader/naive.c", "int x;");
    put_at("s/tidy/old.c", "int x;");
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        OWNED char *from = at(links[i][0]), *to = at(links[i][1]);
        assert_int_equal(link(from, to), 0);
    }
    chown_to("secret.c", SOMEBODY);
    chown_to("s/thief", STUDENT);
    chown_to("s/reader", STUDENT);
    chown_to("s/tidy", STUDENT);
    chown_to("s/tidy/old.c", STUDENT);
    const struct request q = {.paths = {"s"}, .tiers = {"naive", "simd"}};
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    FREED_BY(run_close) struct run r = created(&q, &notes);
    const struct unit *u = unit(&r, "thief.naive");
    assert_true(u->preset);
    assert_int_equal(u->verdict, VERDICT_FORBIDDEN);
    assert_non_null(strstr(u->message, "copy it instead of linking it"));
    assert_false(copied(&r, "thief", "naive.c"));
    assert_true(copied(&r, "thief", "simd.c")); /* somebody else's, but nobody's other file */
    assert_false(unit(&r, "reader.naive")->preset);
    assert_false(copied(&r, "reader", "stolen.h"));
    assert_non_null(strstr(notes.s, "stolen.h left out: a link to a file elsewhere"));
    assert_false(unit(&r, "tidy.naive")->preset);
    assert_true(copied(&r, "tidy", "naive.c"));
}

TEST(hostile_names)
{
    static const struct {
        const char *name, *id;
    } row[] = {
        {"a b", "a%20b"},
        {"new\nline", "new%0Aline"},
        {"-rf", "%2Drf"},
        {"$(touch x)", "%24%28touch%20x%29"},
        {"it's \"it\"", "it%27s%20%22it%22"},
        {"\xff\xfe", "%FF%FE"},
        {"%20", "%2520"},
        {"reference", "reference-2"}, /* that name is taken */
        {"\xc3\xa9mile", "%C3%A9mile"},
    };
    enum { N = sizeof row / sizeof row[0] };
    char longest[256];
    memset(longest, 'x', 255);
    longest[255] = '\0';
    for (size_t i = 0; i <= N; i++) {
        OWNED char *file = xasprintf("s/%s/naive.c", i < N ? row[i].name : longest);
        put_at(file, "int x;");
    }
    put_at("s/.hidden/naive.c", "int x;");
    const struct request q = {.paths = {"s"}, .tiers = {"naive"}};
    FREED_BY(run_close) struct run r = created(&q, NULL);
    assert_int_equal(r.plan->submissions_count, N + 2); /* the long one and the reference */
    for (size_t i = 0; i < N; i++) {
        bool found = false;
        for (unsigned k = 0; k < r.plan->submissions_count; k++) {
            const struct submission *s = &r.plan->submissions[k];
            if (strcmp(s->name, row[i].name) != 0 || s->is_reference)
                continue;
            found = true;
            assert_string_equal(s->id, row[i].id);
            assert_true(copied(&r, s->id, "naive.c"));
        }
        if (!found)
            fail_msg("%s is not in the plan", row[i].id);
    }
    for (unsigned k = 0; k < r.plan->units_count; k++)
        assert_true(strlen(r.plan->units[k].id) < 200);
}

TEST(roster)
{
    put_at("s/alice/naive.c", "int x;");
    put_at("s/bob/naive.c", "int x;");
    put_at("s/eve/naive.c", "int x;");
    put_at("class.csv", "name,submission,mail\r\n\"Roe, Bob\",bob,b@x\r\nCarol,carol,c@x\r\n"
                        "Al, alice ,a@x\r\n");
    const struct request q = {.paths = {"s"}, .tiers = {"naive"}, .roster = "class.csv"};
    FREED_BY(strbuf_free) struct strbuf notes = STRBUF_INIT;
    FREED_BY(run_close) struct run r = created(&q, &notes);
    static const char *const order[] = {"reference", "bob", "carol", "alice"};
    assert_int_equal(r.plan->submissions_count, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(r.plan->submissions[i].id, order[i]);
    assert_int_equal(unit(&r, "carol.naive")->verdict, VERDICT_MISSING);
    assert_string_equal(absent.s, "carol\n");
    assert_non_null(strstr(notes.s, "eve: left out"));
    static const char *const mails[] = {"b@x", "c@x", "a@x"};
    assert_int_equal(r.plan->roster_columns_count, 2);
    assert_string_equal(r.plan->roster_columns[0], "submission");
    assert_string_equal(r.plan->roster_columns[1], "mail");
    assert_null(r.plan->submissions[0].roster_fields);
    for (int i = 0; i < 3; i++)
        assert_string_equal(r.plan->submissions[i + 1].roster_fields[1], mails[i]);
    assert_string_equal(r.plan->submissions[3].roster_fields[0], "alice");
}

TEST(membership)
{
    put_at("s/alice/naive.c", "int x;");
    put_at("s/bob/README", "nothing yet");
    put_at("t/alice/naive.c", "int x;");
    /* A container, one of its submissions again, another container with the same name in it. */
    const struct request q = {.paths = {"s", "s/alice", "t"}, .without_reference = true};
    FREED_BY(run_close) struct run r = created(&q, NULL);
    static const char *const ids[] = {"reference", "alice", "bob", "alice-2"};
    assert_int_equal(r.plan->submissions_count, 4);
    for (int i = 0; i < 4; i++)
        assert_string_equal(r.plan->submissions[i].id, ids[i]);
    /* The reference has no units then, but its sources are there. */
    assert_int_equal(r.plan->units_count, 3 * 3);
    assert_true(copied(&r, "reference", "naive.c"));
    assert_true(copied(&r, "reference", "util.h"));
    assert_non_null(strstr(r.assignment->reference, "/sources/reference"));
    assert_int_equal(unit(&r, "bob.naive")->verdict, VERDICT_MISSING);
    assert_string_equal(unit(&r, "alice.naive")->source, "naive.c");
    assert_false(unit(&r, "alice.naive")->preset);
    assert_true(r.plan->seed == 42);
}

TEST(reference_units)
{
    put_at("s/alice/naive.c", "int x;");
    put_at("s/alice/ghost.c", "int x;");
    const struct request q = {.paths = {"s/alice"}, .profile = "quick"};
    struct run r = created(&q, NULL);
    assert_int_equal(r.plan->units_count, 6);
    assert_false(unit(&r, "reference.naive")->preset);
    assert_int_equal(unit(&r, "reference.simd")->verdict, VERDICT_SKIPPED);
    /* Elsewhere the machine may have what this one lacks. */
    assert_false(unit(&r, "alice.ghost")->preset);
    assert_int_equal(r.assignment->correctness.random, 3);
    run_close(&r);

    const struct request here = {.paths = {"s/alice"}, .here = true};
    r = created(&here, NULL);
    assert_int_equal(unit(&r, "alice.ghost")->verdict, VERDICT_SKIPPED);
    assert_non_null(strstr(unit(&r, "alice.ghost")->message, "no-such-command-here: buy one"));
    run_close(&r);
}

TEST(runs_are_never_replaced)
{
    put_at("s/alice/naive.c", "int x;");
    struct request q = {.paths = {"s"}, .run_id = "mine"};
    struct err e = ERR_INIT;
    struct run r = created(&q, NULL);
    struct stat st;
    assert_int_equal(stat(r.dir, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0700);
    run_close(&r);
    assert_int_equal(create(&q, NULL, NULL, &e), -1);
    assert_int_equal(e.kind, ERR_INPUT);
    assert_non_null(strstr(e.text, "exists already"));

    /* By itself it takes the next free name. */
    q.run_id = NULL;
    char *ids[3] = {NULL};
    for (int i = 0; i < 3; i++) {
        r = created(&q, NULL);
        ids[i] = xstrdup(r.plan->run_id);
        run_close(&r);
    }
    assert_string_not_equal(ids[0], ids[1]);
    assert_string_not_equal(ids[1], ids[2]);
    for (int i = 0; i < 3; i++)
        free(ids[i]);
}

TESTS_WITH(fresh, NULL, test_dir_make, test_dir_remove)
