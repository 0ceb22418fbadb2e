/* One job on each node, while fake commands of Slurm lose answers. */
#include "unit.h"

#include <stdio.h>

#include "slurm/each_node.h"
#include "test_dir.h"

/* The queue is a file of squeue's lines. */
static const char squeue[] =
    "#!/bin/sh\n"
    "cd ${0%/*}/..\n"
    "[ -e waits ] && sed -i 's/RUNNING/PENDING/;s/None/PartitionDown/' queue\n"
    "cat queue\n"
    "echo >>asked\n"
    "[ -e stuck ] || [ -e waits ] || [ $(wc -l <asked) -lt 3 ] || : >queue\n";
static const char scancel[] = "#!/bin/sh\n"
                              "cd ${0%/*}/..\n"
                              "echo $* >>cancelled\n"
                              "[ -e stuck ] || : >queue\n";
/* Submits the job unless sbatch-drops is there. Loses one answer for node b. */
static const char sbatch[] =
    "#!/bin/sh\n"
    "cd ${0%/*}/..\n"
    "for a; do case $a in --job-name=*) name=${a#*=} ;; --nodelist=*) node=${a#*=} ;; esac; done\n"
    "echo $node >>submitted\n"
    "n=$(wc -l <submitted)\n"
    "if [ $node = b ] && mkdir lost 2>/dev/null; then\n"
    "    [ -e drops ] || echo \"$n|N/A|RUNNING|$node|None|$name\" >>queue\n"
    "    echo 'sbatch: error: Socket timed out on send/recv operation' >&2\n"
    "    exit 1\n"
    "fi\n"
    "echo \"$n|N/A|RUNNING|$node|None|$name\" >>queue\n"
    "echo '2026-11-26 09:00:00 [info] credential added'\n" /* by a wrapper of the site */
    "echo $n\n";

static char *contents(const char *name)
{
    char *path = at(name), *text = NULL;
    if (fs_read(path, 1 << 16, &text, NULL, NULL) != 0)
        text = xstrdup("");
    free(path);
    return text;
}

enum { NODES = 3 };

static void run_on_nodes(struct each_node_job job[NODES], int64_t end_ms)
{
    static char *const none[] = {NULL};
    static const char *const node[NODES] = {"a", "b", "c"};
    struct each_node t = {.script = "s",
                          .name = "night",
                          .chdir = test_dir,
                          .res = {.tasks = 1},
                          .job = job,
                          .count = NODES,
                          .poll_ms = 20,
                          .limit_ms = end_ms / 2,
                          .end_ms = end_ms};
    struct err e = ERR_INIT;
    for (size_t i = 0; i < NODES; i++)
        job[i] = (struct each_node_job){.node = node[i], .args = none};
    put_command("sbatch", sbatch);
    put_command("squeue", squeue);
    put_command("scancel", scancel);
    put_at("queue", "");
    assert_int_equal(each_node_run(&t, &e), 0);
}

/* sbatch says nothing although the job got in: it is found, and not sent twice. */
TEST(answer_lost)
{
    struct each_node_job job[NODES];
    run_on_nodes(job, 60000);
    OWNED char *submitted = contents("submitted");
    assert_string_equal(submitted, "a\nb\nc\n");
    for (size_t i = 0; i < NODES; i++) {
        assert_int_equal(job[i].job, i + 1);
        assert_true(job[i].started);
        assert_false(job[i].unended);
    }
    assert_false(exists_at("cancelled"));
}

/* sbatch says nothing, and the job did not get in: it is submitted again. */
TEST(job_lost)
{
    struct each_node_job job[NODES];
    put_at("drops", "");
    run_on_nodes(job, 60000);
    OWNED char *submitted = contents("submitted");
    assert_string_equal(submitted, "a\nb\nb\nc\n");
    assert_int_equal(job[1].job, 3);
    assert_true(job[1].started);
}

/* A job that waits until the time is up: Slurm's reason is kept. */
TEST(never_starts)
{
    struct each_node_job job[NODES];
    put_at("waits", "");
    put_at("lost/x", "");
    run_on_nodes(job, 2000);
    for (size_t i = 0; i < NODES; i++) {
        assert_false(job[i].started);
        assert_true(job[i].cancelled);
        assert_string_equal(job[i].reason, "PartitionDown");
    }
}

/* A job that stays in the queue for ever is not waited for. */
TEST(never_ends)
{
    struct each_node_job job[NODES];
    put_at("stuck", "");
    put_at("lost/x", "");
    run_on_nodes(job, 600);
    for (size_t i = 0; i < NODES; i++)
        assert_true(job[i].unended);
    OWNED char *cancelled = contents("cancelled");
    assert_string_equal(cancelled, "1 2 3\n");
}

TESTS_WITH(test_dir_clear, NULL, test_dir_make_with_bin, test_dir_remove)
