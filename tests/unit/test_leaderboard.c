/* The leaderboard: who may be on it under which name, and in which order they are. */
#include "unit.h"

#include <stdio.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "pages/leaderboard.h"

#include "made_up_class.h"
#include "test_dir.h"

#define HEAD "submission,pseudonym\n"
#define FORTY "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define EURO "\xe2\x82\xac"

static int read_text(const char *text, struct leaderboard *l, struct err *e)
{
    put_at("l.csv", text);
    OWNED char *path = at("l.csv");
    return leaderboard_read(path, &class_plan, l, e);
}

TEST(bad_files)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "l.csv"},
        {"submission\nstudent1\n", "l.csv:1: the column 'pseudonym' is missing"},
        {"pseudonym\nFox\n", "l.csv:1: the column 'submission' is missing"},
        {HEAD "student1,Fox,x\n", "l.csv:2"},
        {HEAD "student1,\"Fox\n", "l.csv"},
        {HEAD "nobody,Fox\n", "l.csv:2: field 'submission': the run has no submission 'nobody'"},
        {HEAD ",Fox\n", "l.csv:2: field 'submission'"},
        {HEAD "student1,Fox\nstudent,\n", "l.csv:3: field 'submission'"},
        {HEAD "reference,Fox\n", "field 'submission': 'reference' is the reference"},
        {HEAD "student1,Fox\nstudent1,Owl\n", "l.csv:3: field 'submission': 'student1' is there"},
        {HEAD "student1,Fox\nstudent2,fOX\n", "'fOX' is the pseudonym of two submissions"},
        {HEAD "student1,student2\n", "'student2' is the name of another submission"},
        {HEAD "student1, STUDENT2 \n", "'STUDENT2' is the name of another submission"},
        {HEAD "student1,REFERENCE\n", "is what the leaderboard calls the reference"},
        {HEAD "student1,the reference\n", "is what the leaderboard calls the reference"},
        {HEAD "student1," FORTY "a\n", "longer than 40 characters"},
        {HEAD "student1,\"a\nb\"\n", "control character"},
        {HEAD "student1,a\tb\n", "control character"},
        {HEAD "student1,a\x7f\n", "control character"},
        {HEAD "student1,a\x1b[2J\n", "control character"},
        {HEAD "student1,\xff\n", "field 'pseudonym' is not UTF-8 text"},
        {HEAD "student1,\xc0\xaf\n", "field 'pseudonym' is not UTF-8 text"},
    };
    class_make(3);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct leaderboard l;
        struct err e = ERR_INIT;
        if (read_text(table[i].text, &l, &e) == 0)
            fail_msg("accepted: %s", table[i].text);
        if (!strstr(e.text, table[i].says))
            fail_msg("'%s' says '%s' and not '%s'", table[i].text, e.text, table[i].says);
        assert_null(l.pseudonym); /* nothing has to be freed */
    }
    struct leaderboard l;
    struct err e = ERR_INIT;
    assert_int_equal(leaderboard_read("/nowhere/l.csv", &class_plan, &l, &e), -1);
    assert_non_null(strstr(e.text, "/nowhere/l.csv"));
}

TEST(good_files)
{
    static const struct {
        const char *text, *of_student1, *of_student2;
    } table[] = {
        {HEAD, NULL, NULL},
        {HEAD "student1,\nstudent2, \t\n", NULL, NULL},
        {HEAD "student1,\nstudent1,Fox\n", "Fox", NULL}, /* no pseudonym: the same as no row */
        {HEAD "student1, Fox \nstudent2,\t\"Fox, the second\"\n", "Fox", "Fox, the second"},
        {HEAD "student1,student1\n", "student1", NULL}, /* who wants to be known */
        {"mail,Pseudonym,SUBMISSION\r\na@x,<b>,student2\r\n", NULL, "<b>"},
        {"submission;pseudonym\nstudent1;a,b\n", "a,b", NULL},
        {HEAD "student1," FORTY "\n", FORTY, NULL},
        {HEAD "student1," EURO EURO EURO "\n", EURO EURO EURO, NULL},
    };
    class_make(2);
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *const wanted[] = {NULL, table[i].of_student1, table[i].of_student2};
        FREED_BY(leaderboard_free) struct leaderboard l = {0};
        struct err e = ERR_INIT;
        if (read_text(table[i].text, &l, &e) != 0)
            fail_msg("'%s': %s", table[i].text, e.text);
        assert_int_equal(l.count, 3);
        for (unsigned k = 0; k < 3; k++) {
            const char *is = l.pseudonym[k] ? l.pseudonym[k] : "(none)",
                       *want = wanted[k] ? wanted[k] : "(none)";
            if (strcmp(is, want) != 0)
                fail_msg("'%s': '%s' and not '%s'", table[i].text, is, want);
        }
    }
}

/* --- ranks -------------------------------------------------------------------------------------
 */

static char *written(const struct source *s, const char *optin, const char *file)
{
    struct leaderboard l;
    struct err e = ERR_INIT;
    char *path = at(file), *text = NULL;
    size_t len;
    assert_int_equal(read_text(optin, &l, &e), 0);
    if (leaderboard_write(s, &l, test_dir, &e) != 0)
        fail_msg("%s", e.text);
    leaderboard_free(&l);
    if (fs_read(path, 1 << 20, &text, &len, &e) != 0)
        text = xstrdup("");
    free(path);
    return text;
}

static void assert_csv(const struct source *s, const char *optin, const char *rows)
{
    OWNED char *is = written(s, optin, "leaderboard.csv"),
               *want = xasprintf(
                   "%s%s", *rows ? "tier,size,rank,pseudonym,speedup,ci_low,ci_high,gops\r\n" : "",
                   rows);
    if (strcmp(is, want) != 0)
        fail_msg("%s\nand not\n%s", is, want);
}

#define THREE HEAD "student1,Ant\nstudent2,Bee\nstudent3,Cat\n"
#define REFERENCE "simd,64,,reference,20,20,20,0\r\n"

/* Who failed, is flagged, has no time that counts, or did not ask, is not on it. */
TEST(who_is_not_on_it)
{
    struct source s = class_make(3);
    assert_csv(&s, HEAD, "");
    s = class_make(3);
    assert_csv(&s, HEAD "student2,Bee\n", REFERENCE "simd,64,1,Bee,2,2,2,0\r\n");
    s = class_make(3);
    class_result[2].verdict = VERDICT_WRONG_ANSWER;
    class_result[3].attested = ATTESTED_NO;
    assert_csv(&s, THREE, REFERENCE "simd,64,1,Ant,1,1,1,0\r\n");
    s = class_make(3);
    class_unit_score[1].not_gradable = "no record";
    class_speed[2].speedup.value = (double)NAN;
    class_speed[3].graded = false;
    assert_csv(&s, THREE, "");
    s = class_make(3);
    class_results[1] = NULL;
    class_board.speed_count = 0;
    assert_csv(&s, THREE, "");
    OWNED char *html = written(&s, THREE, "leaderboard.html");
    assert_non_null(strstr(html, "Nobody who asked for it has a tier that passed"));
}

/* Whose intervals overlap with that of the first one of a rank share it. */
TEST(ranks)
{
    static const struct {
        struct interval speedup[3];
        const char *rows; /* without numbers */
    } table[] = {
        {{{1, 1, 1, 9, false}, {2, 2, 2, 9, false}, {3, 3, 3, 9, false}}, "ref 1Cat 2Bee 3Ant"},
        {{{2, 2, 2, 9, false}, {2, 2, 2, 9, false}, {2, 2, 2, 9, false}}, "ref 1Ant 1Bee 1Cat"},
        {{{1, 0.9, 1.1, 9, false}, {1.5, 1.1, 2, 9, false}, {3, 2, 4, 9, false}},
         "ref 1Cat 1Bee 3Ant"},
        {{{1, 0.5, 1.2, 9, false}, {1.5, 1.1, 1.9, 9, false}, {3, 2, 4, 9, false}},
         "ref 1Cat 2Bee 2Ant"},
        {{{40, 30, 50, 9, false}, {19, 18, 21, 9, false}, {3, 2, 4, 9, false}},
         "1Ant ref 2Bee 3Cat"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct source s = class_make(3);
        for (unsigned k = 0; k < 3; k++)
            class_speed[k + 1].speedup = table[i].speedup[k];
        FREED_BY(strbuf_free) struct strbuf is = STRBUF_INIT;
        char *csv = written(&s, THREE, "leaderboard.csv"), *line, *rest = csv;
        strtok_r(csv, "\r\n", &rest);
        while ((line = strtok_r(NULL, "\r\n", &rest))) {
            char rank[8] = "", name[32] = "";
            sscanf(line, "simd,64,%7[^,],%31[^,]", rank, name);
            strbuf_addf(&is, "%s%s%s", is.len ? " " : "", rank, *rank ? name : "ref");
        }
        if (strcmp(is.s, table[i].rows) != 0)
            fail_msg("line %zu: %s", i, is.s);
        free(csv);
    }
}

/* The page has pseudonyms as text, and no name. A table of before is replaced. */
TEST(pages)
{
    const struct source s = class_make(3);
    OWNED char *html = written(&s, HEAD "student1,<script>'\nstudent3,=1+1\n", "leaderboard.html");
    assert_non_null(strstr(html, "&lt;script&gt;&#39;"));
    assert_null(strstr(html, "<script"));
    assert_null(strstr(html, "student"));
    OWNED char *csv = written(&s, HEAD "student3,=1+1\n", "leaderboard.csv");
    assert_null(strstr(csv, ",=")); /* spreadsheets would compute it */
    free(csv);
    csv = written(&s, HEAD, "leaderboard.csv");
    assert_string_equal(csv, "");
}

TESTS(test_dir_make, test_dir_remove)
