/* What Slurm's commands print, and what is read from it. */
#include "unit.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "slurm/listing.h"
#include "slurm/nodes.h"
#include "slurm/query.h"

TEST(bad_queue_lines_are_passed_over)
{
    static const char *const bad[] = {"",
                                      "\n",
                                      "slurm_load_jobs error: something\n",
                                      "12|3|RUNNING\n",
                                      "x|3|RUNNING|n1|None|a\n",
                                      "|||||\n",
                                      "12|3|RUNNING|n1|None",
                                      "\n\n\n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        FREED_BY(slurm_list_free) struct slurm_list l = {0};
        slurm_parse_queue(bad[i], &l);
        assert_int_equal(l.count, 0);
    }
}

TEST(queue)
{
    FREED_BY(slurm_list_free) struct slurm_list l = {0};
    slurm_parse_queue("12|0|RUNNING|n1|None|pg-run-1-00aa\n"
                      "garbage\n"
                      "12|1|PENDING||JobArrayTaskLimit|pg-run-1-00aa\n"
                      "13|N/A|PENDING||Dependency|pg-run-report1-00bb\n"
                      "14|2|COMPLETING|n[1-2]|a|b|c\n" /* the name may hold anything */
                      "15|3-5,9%2|PENDING||None|d",    /* elements that wait share a line */
                      &l);
    assert_int_equal(l.count, 4 + 4);
    assert_string_equal(slurm_list_find(&l, 15, 9)->name, "d");
    assert_null(slurm_list_find(&l, 15, 6));
    const struct slurm_element *x = slurm_list_find(&l, 12, 0);
    assert_non_null(x);
    assert_string_equal(x->state, "RUNNING");
    assert_string_equal(x->node, "n1");
    assert_string_equal(x->name, "pg-run-1-00aa");
    x = slurm_list_find(&l, 12, 1);
    assert_string_equal(x->reason, "JobArrayTaskLimit");
    assert_string_equal(x->node, "");
    assert_non_null(slurm_list_find(&l, 13, -1));
    assert_null(slurm_list_find(&l, 13, 0));
    assert_null(slurm_list_find(&l, 12, 2));
    assert_string_equal(slurm_list_find(&l, 14, 2)->name, "b|c");
}

TEST(overlong_fields_are_cut)
{
    char line[4096];
    memset(line, 'x', sizeof line);
    memcpy(line, "7|1|", 4);
    line[sizeof line - 1] = '\0';
    for (size_t at = 1000; at <= 3000; at += 1000)
        line[at] = '|';
    FREED_BY(slurm_list_free) struct slurm_list l = {0};
    slurm_parse_queue(line, &l);
    assert_int_equal(l.count, 1);
    assert_int_equal(strlen(l.item[0].state), sizeof l.item[0].state - 1);
    assert_int_equal(strlen(l.item[0].name), sizeof l.item[0].name - 1);
}

TEST(sacct)
{
    FREED_BY(slurm_list_free) struct slurm_list l = {0};
    slurm_parse_sacct("12_0|COMPLETED|n1|0:0|2026-11-24T10:00:00\n"
                      "12_1|CANCELLED by 1000|None assigned|0:0|2026-11-24T10:00:01\n"
                      "12_[2-9%4]|PENDING|None assigned|0:0|Unknown\n"
                      "13|NODE_FAIL|n2|1:0|\n"
                      "Slurm accounting storage is disabled\n"
                      "12_10|OUT_OF_MEMORY|n3|0:125|2026-11-24T10:00:02",
                      &l);
    assert_int_equal(l.count, 4 + 8);
    assert_string_equal(slurm_list_find(&l, 12, 1)->state, "CANCELLED");
    assert_int_equal(slurm_list_find(&l, 12, 1)->by, 1000);
    assert_int_equal(slurm_list_find(&l, 12, 0)->by, -1);
    assert_string_equal(slurm_list_find(&l, 12, 9)->state, "PENDING");
    assert_string_equal(slurm_list_find(&l, 12, 1)->node, "");
    assert_string_equal(slurm_list_find(&l, 13, -1)->node, "n2");
    assert_string_equal(slurm_list_find(&l, 12, 10)->reason, "0:125");
    assert_string_equal(slurm_list_find(&l, 12, 10)->end, "2026-11-24T10:00:02");
    assert_string_equal(slurm_list_find(&l, 12, 9)->end, "");
    assert_string_equal(slurm_list_find(&l, 13, -1)->end, "");
}

TEST(scontrol)
{
    FREED_BY(slurm_list_free) struct slurm_list l = {0};
    slurm_parse_scontrol(
        "JobId=15 ArrayJobId=12 ArrayTaskId=3 JobName=pg JobState=NODE_FAIL Reason=NodeDown "
        "Dependency=(null) ReqNodeList=(null) ExcNodeList=(null) NodeList=n2 BatchHost=n2\n"
        "JobId=12 ArrayJobId=12 ArrayTaskId=4-9%2 JobName=pg JobState=PENDING NodeList=(null)\n"
        "JobId=20 JobName=x JobState=COMPLETED Reason=None EndTime=2026-11-24T10:00:00 "
        "NodeList=(null)\n"
        "No jobs in the system\n",
        &l);
    assert_int_equal(l.count, 2 + 6);
    const struct slurm_element *x = slurm_list_find(&l, 12, 3);
    assert_non_null(x);
    assert_string_equal(x->state, "NODE_FAIL");
    assert_string_equal(x->node, "n2"); /* neither ReqNodeList nor ExcNodeList */
    assert_string_equal(x->reason, "NodeDown");
    x = slurm_list_find(&l, 20, -1);
    assert_string_equal(x->node, "");
    assert_string_equal(x->reason, "");
    assert_string_equal(x->end, "2026-11-24T10:00:00");
}

/* Elements that never started share a line. */
TEST(task_lists)
{
    static const struct {
        const char *list;
        size_t count;
        long last;
    } row[] = {
        {"", 0, 0},
        {"x", 0, 0},
        {"[]", 0, 0},
        {"9-4", 0, 0},
        {"0-99999999", 0, 0},
        {"4", 1, 4},
        {"[4]", 1, 4},
        {"[4-9%2]", 6, 9},
        {"0-2,7,9-10", 6, 10},
        {"0-8:2", 5, 8},
        {"0-8:0", 0, 0},
        {"1,", 1, 1},
        {"3-", 0, 0},
        {"1,x,2", 1, 1},
        {"5-8:9223372036854775807", 1, 5},
        {"99999999999999999999", 1, LONG_MAX},
        {"0-199999,0-199999,0-199999", 200000, 199999},
        {"7,0-199999,9", 1, 7},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        FREED_BY(slurm_list_free) struct slurm_list l = {0};
        char line[128];
        snprintf(line, sizeof line, "12_%s|CANCELLED by 0||0:0|\n", row[i].list);
        slurm_parse_sacct(line, &l);
        if (l.count != row[i].count)
            fail_msg("'%s' gave %zu elements", row[i].list, l.count);
        if (row[i].count)
            assert_int_equal(l.item[l.count - 1].task, row[i].last);
    }
}

TEST(max_array)
{
    static const struct {
        const char *text;
        long size;
    } row[] = {
        {"", -1},
        {"MaxArraySize\n", -1},
        {"MaxArraySize            = x\n", -1},
        {"xMaxArraySize = 5\n", -1},
        {"MaxArraySize            = 1001\n", 1001},
        {"Configuration data\nMailProg = /bin/true\nMaxArraySize            = 0\nX = 1\n", 0},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        assert_int_equal(slurm_parse_max_array(row[i].text), row[i].size);
}

TEST(silence)
{
    static const struct {
        const char *text;
        int silent;
    } row[] = {
        {"sbatch: error: Batch job submission failed: Invalid partition name specified", 0},
        {"sbatch: error: Batch job submission failed: Job violates accounting/QOS policy", 0},
        {"", 0},
        {"slurm_load_jobs error: Unable to contact slurm controller (connect failure)", 1},
        {"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation", 1},
        {"slurm_load_jobs error: Slurm backup controller in standby mode", 1},
        {"sacct: error: Problem talking to the database: Connection refused", 1},
        {"slurm_msg_sendto: msg_type=4003: Unexpected missing socket error", 1},
        {"error: Munge encode failed: Failed to connect to \"/run/munge/munge.socket.2\"", 1},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        assert_int_equal(slurm_says_silent(row[i].text), row[i].silent);
}

TEST(usable_nodes)
{
    static const struct {
        const char *text, *partition, *nodes;
        size_t all;
    } row[] = {
        {"", NULL, "", 0},
        {"n1\nn2|idle\n||\n", NULL, "", 0},
        {"n1|idle|main\n", NULL, "", 0}, /* no default partition */
        {"n2|idle|main*\nn1|mixed|main*\nn3|idle|cpu\n", NULL, "n1 n2 ", 2},
        {"n2|idle|main*\nn1|mixed|cpu\n", "cpu", "n1 ", 1},
        {"n2|idle|main*\n", "main", "n2 ", 1},
        {"n2|idle|main*\n", "mai", "", 0},
        {"a|down|p*\nb|down*|p*\nc|drained|p*\nd|draining|p*\ne|idle*|p*\nf|maint|p*\n"
         "g|allocated|p*\nh|completing|p*\ni|planned|p*\nj|idle~|p*\n",
         NULL, "g h i ", 10},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        FREED_BY(strbuf_free) struct strbuf got = STRBUF_INIT;
        char **nodes;
        size_t count, all;
        slurm_parse_nodes(row[i].text, row[i].partition, &nodes, &count, &all);
        for (size_t k = 0; k < count; k++)
            strbuf_addf(&got, "%s ", nodes[k]);
        assert_string_equal(got.s, row[i].nodes);
        assert_int_equal(all, row[i].all);
        texts_free(nodes, (unsigned)count);
    }
}

TEST(submitted)
{
    static const struct {
        const char *text;
        long job;
    } table[] = {
        {"", 0},
        {"\n", 0},
        {"Submitted batch job 12\n", 0},
        {"2026-11-26 09:00:00 [info] credential added\n", 0},
        {"12 jobs wait\n", 0},
        {"12;\n", 0},
        {"12;a b\n", 0},
        {"-12\n", 0},
        {"0\n", 0},
        {"123456789012\n", 0},
        {"12", 12},
        {"12\n", 12},
        {" 12 \r\n", 12},
        {"12;hill-3\n", 12},
        {"2026-11-26 09:00:00 [info] credential added\n12\n", 12},
        {"-----\n   Welcome to the Hill3 system\n--> Checking the allocation...OK\n12;hill\n", 12},
        {"2026\n12\n", 12},
        {"12\n3 jobs of yours wait\n\n", 12},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const long job = slurm_parse_submitted(table[i].text);
        if (job != table[i].job)
            fail_msg("'%s': %ld", table[i].text, job);
    }
}

TEST(first_of_several_nodes)
{
    static const struct {
        const char *list, *first;
    } table[] = {{"", ""},
                 {"n2", "n2"},
                 {"n[2-4]", "n2"},
                 {"n[07,9-12]", "n07"},
                 {"a1,n[2-4]", "a1"},
                 {"r[1-2]n[3,5]x,m1", "r1n3x"},
                 {"n[", "n"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *first = slurm_first_node(table[i].list);
        assert_string_equal(first, table[i].first);
    }
}

TESTS(NULL, NULL)
