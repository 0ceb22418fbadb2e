/* Every CSV file, from made-up results: header and rows, whole. */
#include "unit.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "report/report.h"
#include "report/table.h"

#include "test_dir.h"

static int one[] = {1}, tiles[] = {8, 16};
static struct axis axis = {.macro = (char[]){"TILE"}, .values = tiles, .count = 2};
static struct tier tiers[] = {{.name = (char[]){"simd"},
                               .kernel = &kernel_gemm_i32,
                               .compile = (char[]){"gcc -O3 {src}"},
                               .ranks = one,
                               .ranks_count = 1,
                               .threads = one,
                               .threads_count = 1,
                               .axes = &axis,
                               .axes_count = 1,
                               .points = {.correct = 5.126}},
                              {.name = (char[]){"cuda"},
                               .kernel = &kernel_gemm_i32,
                               .compile = (char[]){"nvcc {src}"},
                               .points = {.correct = 6}}};
static double gbs[] = {BANDWIDTH_MEASURED, 0.02};
static struct assignment assignment = {.kernel = &kernel_gemm_i32,
                                       .tiers = tiers,
                                       .tiers_count = 2,
                                       .bandwidth = {gbs, 2},
                                       .device_bandwidth = {gbs, 1}};
static char *columns[] = {(char[]){"Submission"}, (char[]){"e-mail"}, (char[]){"simd_points"},
                          (char[]){"E-Mail"}, (char[]){"roster_e-mail"}};
static char *fields[] = {(char[]){" ann"}, (char[]){"\"a\"@x,\r\nb@x"}, (char[]){"7"},
                         (char[]){"=1"}, (char[]){"gr\xc3\xbcn"}};
static struct submission submissions[] = {
    {.id = (char[]){"reference"}, .name = (char[]){"reference"}, .is_reference = true},
    {.id = (char[]){"ann"},
     .name = (char[]){"Ann, B."},
     .roster_fields = fields,
     .submitted = 1767323045,
     .modified = PLAN_NO_TIME}};
static struct unit units[] = {
    {.submission = 0, .tier = 0, .source = (char[]){"simd.c"}},
    {.submission = 1, .tier = 0, .source = (char[]){"simd.c"}},
    {.submission = 1, .tier = 1},
};
static struct test_case cases[] = {
    {.index = 0, .kind = CASE_RANDOM, .shape = {2, 3, 4}, .seed = 0x1f},
    {.index = 1, .kind = CASE_PERFORMANCE, .shape = {100, 100, 100}, .seed = 7},
};
static struct sample samples[] = {{.start = 0,
                                   .reps = 3,
                                   .alone = 0.000505,
                                   .other = 0.000507,
                                   .yardstick = 0.0005,
                                   .unit = 0.001},
                                  {.start = 1,
                                   .reps = 3,
                                   .alone = 0.0005,
                                   .yardstick = NAN,
                                   .unit = 0.002,
                                   .end_to_end = 0.004,
                                   .device = 0.0015}};
static struct case_result timed = {
    .case_index = 1,
    .launch = {1, 1},
    .runs = 6,
    .samples = samples,
    .samples_count = 2,
    .estimate = {.seconds = {0.001, 0.0005, 0.002, 2, false},
                 .relative = {0.5, 0.25, 1, 2, false},
                 .end_to_end = {0.004, 0.003, 0.005, 2, false},
                 .typical = 1.25,
                 .confirmed = true},
    .accuracy = {2.5, 0.25},
    .counters = {.runs = 3, .value = {NAN, 1e9, 2e5, NAN, 0, 0.002}, .reason = "no, none"},
};
static struct case_result wrong = {
    .accuracy = {NAN, NAN},
    .launch = {1, 1},
    .launch_index = -1,
    .verdict = VERDICT_WRONG_ANSWER,
    .runs = 1,
    .mismatch = {.present = true, .row = 1, .col = 2, .expected = "-5", .got = "0", .wrong = 4},
    .oversubscribed = true,
    .message = "C[1][2]: expected -5, got 0",
};
static struct case_result crash = {.accuracy = {NAN, NAN},
                                   .launch = {1, 1},
                                   .verdict = VERDICT_CRASH,
                                   .runs = 1,
                                   .message = "segmentation fault"};
static struct case_result beyond = {.case_index = 2}; /* of the cases: in no table */
static struct profile_row profile[] = {{.activity = ACTIVITY_KERNEL,
                                        .name = "gemm<8, 8>",
                                        .calls = 2,
                                        .seconds = 0.003,
                                        .median = 0.0015,
                                        .min = 0.001,
                                        .max = 0.002,
                                        .stddev = 0.0007,
                                        .registers = 40,
                                        .shared_bytes = 4096,
                                        .block_threads = 256,
                                        .grid_blocks = 16,
                                        .occupancy = 0.5},
                                       {.activity = ACTIVITY_COPY,
                                        .name = "host to device",
                                        .calls = 1,
                                        .seconds = 0.001,
                                        .median = 0.001,
                                        .min = 0.001,
                                        .max = 0.001,
                                        .stddev = NAN}};

/* Filled by make_results(). */
static struct case_result fast[2], slow[3], failed[3];
static struct unit_result unit[3];

static struct unit_result result(struct case_result *c, unsigned n)
{
    static char host[] = "n1", yardstick[] = "simd", empty[] = "", job[] = "17_0",
                started[] = "2026-01-02T03:04:05Z", hash[] = "00ff", compiler[] = "gcc 13";
    return (struct unit_result){.host = host,
                                .yardstick = yardstick,
                                .device = empty,
                                .job = job,
                                .started = started,
                                .source_hash = hash,
                                .compiler = compiler,
                                .evidence = empty,
                                .remarks = empty,
                                .sanitized = empty,
                                .message = empty,
                                .build_seconds = 0.5,
                                .total_seconds = 2,
                                .peak_memory = 1048576,
                                .cores = 2,
                                .cases = c,
                                .cases_count = n};
}

static void make_results(void)
{
    static char evidence[] = "one core", remarks[] = "a.c:3: x\nb.c:4: y", second[] = "38 cases";
    static char message[] = "the node \"n1\" failed", gpu[] = "H200";
    fast[0] = fast[1] = slow[0] = slow[1] = timed;
    fast[0].estimate.relative = (struct interval){1, 1, 1, 2, false};
    fast[1].point = slow[1].point = 1;
    fast[1].estimate.seconds = (struct interval){0.0005, 0.0005, 0.0005, 2, true};
    fast[1].estimate.relative.unconfirmed = true;
    fast[1].estimate.confirmed = false;
    fast[1].estimate.end_to_end.n = 0;
    slow[1].estimate = (struct estimate){.seconds = stats_unknown()};
    slow[1].samples_count = 0;
    slow[2] = beyond;
    failed[0] = wrong;
    failed[1] = crash;
    failed[2] = beyond;
    unit[0] = result(fast, 2);
    unit[1] = result(slow, 3);
    unit[2] = result(failed, 3);
    unit[1].attested = ATTESTED_NO;
    unit[1].evidence = evidence;
    unit[1].remarks = remarks;
    unit[1].sanitized = second;
    unit[1].protections = PROTECTIONS_UNKNOWN;
    unit[2].verdict = VERDICT_INFRA_ERROR;
    unit[2].build_seconds = unit[2].total_seconds = unit[2].peak_memory = unit[2].cores = 0;
    unit[2].message = message;
    unit[2].device = gpu;
    unit[2].profile = (struct device_profile){{.dim = {100, 100, 100}}, profile, 2};
}

static void assert_file(const char *name, const char *wanted)
{
    OWNED char *path = xasprintf("%s/%s", test_dir, name), *is = NULL;
    size_t len;
    assert_int_equal(fs_read(path, 1 << 20, &is, &len, NULL), 0);
    if (strcmp(is, wanted) != 0)
        fail_msg("%s is\n%s\nand not\n%s", name, is, wanted);
}

static void write_all(bool sweep)
{
    struct plan plan = {.submissions = submissions,
                        .submissions_count = 2,
                        .units = units,
                        .units_count = 3,
                        .roster_columns = columns,
                        .roster_columns_count = 5,
                        .sweep = sweep};
    struct calibration calibration = {.shape = {100, 100, 100}, .ratio = {20, 19, 21, 9, false}};
    struct node_record node = {.host = (char[]){"n1"},
                               .yardstick = (char[]){"simd"},
                               .peak_gops = 50,
                               .bandwidth_gbs = 10,
                               .calibrations = &calibration,
                               .calibrations_count = 1};
    struct node_record *nodes[] = {&node};
    make_results();
    struct unit_result *results_of_units[] = {&unit[0], &unit[1], &unit[2]};
    int attempts[] = {0, 0, 3};
    const struct results results = {.unit = results_of_units,
                                    .unit_count = 3,
                                    .attempts = attempts,
                                    .node = nodes,
                                    .node_count = 1};
    const struct run run = {.dir = test_dir,
                            .assignment = &assignment,
                            .plan = &plan,
                            .cases = {.item = cases, .count = 2}};
    json_auto_t *receipts = json_pack("{s:[{}, {s:s}]}", "submissions", "receipt", "ab12");
    FREED_BY(scoreboard_free) struct scoreboard board = {0};
    score_run(&run, &results, &board);
    assert_int_equal(report_write_tables(&run, run.dir, &results, &board, receipts, NULL), 0);
}

static void assert_no_file(const char *name)
{
    OWNED char *path = xasprintf("%s/%s", test_dir, name);
    if (fs_exists(path))
        fail_msg("%s was written without rows, or is left from before", name);
}

TEST(a_run)
{
    write_all(false);
    assert_file("units.csv",
                "submission,tier,verdict,points,max_points,cases_passed,cases_total,node,job,cores,"
                "device,yardstick,retries,started_utc,build_seconds,unit_seconds,peak_memory_bytes,"
                "source,compiler,protections,attested,evidence,remarks,sanitized,message,"
                "source_hash,smallest_size,smallest_values,smallest_ranks,smallest_threads,"
                "smallest_message,"
                "smallest_replay,scored_points,late_penalty,override,compile\r\n"
                "reference,simd,pass,5.13,5.13,2,2,n1,17_0,2,,simd,0,2026-01-02T03:04:05Z,0.5,2,"
                "1048576,simd.c,gcc 13,none,,,,,,00ff,,,,,,,5.13,,,gcc -O3 {src}\r\n"
                "ann,simd,pass,5.13,5.13,3,3,n1,17_0,2,,simd,0,2026-01-02T03:04:05Z,0.5,2,1048576,"
                "simd.c,gcc 13,,no,one core,a.c:3: x; b.c:4: y,38 cases,,00ff,,,,,,,5.13,,,gcc -O3 "
                "{src}\r\n"
                "ann,cuda,infra-error,,,1,3,n1,17_0,,H200,simd,3,2026-01-02T03:04:05Z,,,,,gcc 13,"
                "none,,,,,\"the node \"\"n1\"\" failed\",00ff,,,,,,,,,,nvcc {src}\r\n");
    assert_file(
        "cases.csv",
        "submission,tier,case,kind,m,n,k,values,seed,ranks,threads,nodes,gpus,stress,"
        "oversubscribed,"
        "verdict,runs,wrong_elements,first_row,first_col,expected,got,error_max,error_rms,"
        "seconds,ci_low_seconds,ci_high_seconds,samples,confirmed,typical,gops,message\r\n"
        "reference,simd,1,performance,100,100,100,full,0x0000000000000007,1,1,1,0,no,no,pass,6,"
        "0,,,,,2.5,0.25,0.001,0.0005,0.002,2,yes,1.25,2,\r\n"
        "reference,simd,1,performance,100,100,100,full,0x0000000000000007,1,1,1,0,no,no,pass,6,"
        "0,,,,,2.5,0.25,0.0005,0.0005,0.0005,2,no,1.25,4,\r\n"
        "ann,simd,1,performance,100,100,100,full,0x0000000000000007,1,1,1,0,no,no,pass,6,0,,,,,"
        "2.5,0.25,0.001,0.0005,0.002,2,yes,1.25,2,\r\n"
        "ann,simd,1,performance,100,100,100,full,0x0000000000000007,1,1,1,0,no,no,pass,6,0,,,,,"
        "2.5,0.25,,,,,,,,\r\n"
        "ann,cuda,0,random,2,3,4,full,0x000000000000001f,1,1,1,0,yes,yes,wrong-answer,1,4,1,2,-"
        "5,0,,,,,,,,,,\"C[1][2]: expected -5, got 0\"\r\n"
        "ann,cuda,0,random,2,3,4,full,0x000000000000001f,1,1,1,0,no,no,crash,1,,,,,,,,,,,,,,,"
        "segmentation fault\r\n");
    assert_file(
        "samples.csv",
        "submission,tier,size,m,n,k,ranks,threads,nodes,gpus,start,sample,reps,seconds,gops,"
        "yardstick_seconds,yardstick_alone_seconds,yardstick_other_core_seconds,end_to_end_seconds,"
        "device_seconds,kernel\r\n"
        "reference,simd,100,100,100,100,1,1,1,0,0,0,3,0.001,2,0.0005,0.000505,0.000507,,,gemm\r\n"
        "reference,simd,100,100,100,100,1,1,1,0,1,1,3,0.002,1,,0.0005,,0.004,0.0015,gemm\r\n"
        "reference,simd,100,100,100,100,1,1,1,0,0,0,3,0.001,2,0.0005,0.000505,0.000507,,,gemm\r\n"
        "reference,simd,100,100,100,100,1,1,1,0,1,1,3,0.002,1,,0.0005,,0.004,0.0015,gemm\r\n"
        "ann,simd,100,100,100,100,1,1,1,0,0,0,3,0.001,2,0.0005,0.000505,0.000507,,,gemm\r\n"
        "ann,simd,100,100,100,100,1,1,1,0,1,1,3,0.002,1,,0.0005,,0.004,0.0015,gemm\r\n");
    assert_file(
        "speedup.csv",
        "submission,tier,ranks,threads,nodes,gpus,size,seconds,typical,end_to_end_seconds,gops,"
        "peak_share,speedup,speedup_ci_low,speedup_ci_high,fraction_of_reference,"
        "confirmed,graded\r\n"
        "reference,simd,1,1,1,0,100,0.001,1.25,0.004,2,0.04,20,19,21,1,yes,yes\r\n"
        "reference,simd,1,1,1,0,100,0.0005,1.25,,4,0.08,10,4.99053,20.0343,0.5,no,yes\r\n"
        "ann,simd,1,1,1,0,100,0.001,1.25,0.004,2,0.04,10,4.99053,20.0343,0.5,yes,yes\r\n");
    assert_file("efficiency.csv",
                "submission,tier,workers,ranks,threads,nodes,gpus,size,efficiency,"
                "efficiency_ci_low,efficiency_ci_high,node_efficiency\r\n"
                "reference,simd,1,1,1,1,0,100,1,1,1,1\r\n"
                "reference,simd,1,1,1,1,0,100,0.5,0.25,1,0.5\r\n"
                "ann,simd,1,1,1,1,0,100,1,1,1,1\r\n");
    assert_file(
        "roofline.csv",
        "submission,tier,ranks,threads,size,operations,bytes,intensity,gops,peak_gops,"
        "bandwidth_gbs,bandwidth_from,roof_gops,fraction_of_roof,bound\r\n"
        "reference,simd,1,1,100,2000000,120000,16.6667,2,50,10,measured,50,0.04,compute\r\n"
        "reference,simd,1,1,100,2000000,120000,16.6667,2,50,0.02,given,0.333333,6,memory\r\n"
        "reference,simd,1,1,100,2000000,120000,16.6667,4,50,10,measured,50,0.08,compute\r\n"
        "reference,simd,1,1,100,2000000,120000,16.6667,4,50,0.02,given,0.333333,12,memory"
        "\r\n"
        "ann,simd,1,1,100,2000000,120000,16.6667,2,50,10,measured,50,0.04,compute\r\n"
        "ann,simd,1,1,100,2000000,120000,16.6667,2,50,0.02,given,0.333333,6,memory\r\n");
    assert_file("counters.csv",
                "submission,tier,ranks,threads,size,cycles,instructions,cache_misses,branch_misses,"
                "page_faults,task_clock_seconds,counters_reason\r\n"
                "reference,simd,1,1,100,,1000000000,200000,,0,0.002,\"no, none\"\r\n"
                "reference,simd,1,1,100,,1000000000,200000,,0,0.002,\"no, none\"\r\n"
                "ann,simd,1,1,100,,1000000000,200000,,0,0.002,\"no, none\"\r\n"
                "ann,simd,1,1,100,,1000000000,200000,,0,0.002,\"no, none\"\r\n");
    assert_file("profile.csv",
                "submission,tier,size,activity,activity_name,calls,total_seconds,average_seconds,"
                "call_median_seconds,call_min_seconds,call_max_seconds,call_stddev_seconds,share,"
                "registers,shared_bytes,block_threads,grid_blocks,occupancy\r\n"
                "ann,cuda,100,kernel,\"gemm<8, "
                "8>\",2,0.003,0.0015,0.0015,0.001,0.002,0.0007,0.75,40,4096,256,16,0.5\r\n"
                "ann,cuda,100,copy,host to device,1,0.001,0.001,0.001,0.001,0.001,,0.25,,,,,\r\n");
    assert_file(
        "grades.csv",
        "submission,name,roster_Submission,e-mail,roster_simd_points,roster_E-Mail,"
        "roster_roster_e-mail,simd_points,simd_max_points,cuda_points,cuda_max_points,"
        "total_points,total_max_points,percent,uncounted_tiers,note,submitted_utc,late_seconds,"
        "late_penalty,override,receipt\r\n"
        "ann,\"Ann, B.\", ann,\"\"\"a\"\"@x,\r\nb@x\",7,'=1,gr\xc3\xbcn,5.13,5.13,,,5.13,"
        "5.13,100,1,cuda: infra-error,2026-01-02T03:04:05Z,,,,ab12\r\n");
    assert_file(
        "spread.csv",
        "submission,tier,kernel,ranks,threads,by,value,samples,gops_min,gops_q1,gops_median,"
        "gops_q3,gops_max,gops_mean\r\n"
        "reference,simd,gemm,1,1,all,,4,1,1,1.5,2,2,1.5\r\n"
        "reference,simd,gemm,1,1,size,100,4,1,1,1.5,2,2,1.5\r\n"
        "ann,simd,gemm,1,1,all,,2,1,1.25,1.5,1.75,2,1.5\r\n"
        "ann,simd,gemm,1,1,size,100,2,1,1.25,1.5,1.75,2,1.5\r\n");
    assert_no_file("sweep.csv");
}

/* After a_run: files that have no rows any more go away. */
TEST(a_sweep)
{
    write_all(true);
    assert_file(
        "sweep.csv",
        "submission,sweep,point,ranks,threads,nodes,gpus,size,verdict,seconds,ci_low_seconds,"
        "ci_high_seconds,gops,of_best,best,oversubscribed,message\r\n"
        "reference,simd,TILE=8,1,1,1,0,100,pass,0.001,0.0005,0.002,2,0.5,no,no,\r\n"
        "reference,simd,TILE=16,1,1,1,0,100,pass,0.0005,0.0005,0.0005,4,1,yes,no,\r\n"
        "ann,simd,TILE=8,1,1,1,0,100,pass,0.001,0.0005,0.002,2,1,yes,no,\r\n"
        "ann,simd,TILE=16,1,1,1,0,100,pass,,,,,,no,no,\r\n");
    assert_no_file("speedup.csv");
    assert_no_file("efficiency.csv");
    assert_no_file("spread.csv");
    assert_no_file("roofline.csv");
    assert_no_file("grades.csv");
}

TEST(a_tier_named_total)
{
    char *simd = tiers[0].name;
    tiers[0].name = (char[]){"total"};
    write_all(false);
    OWNED char *path = xasprintf("%s/grades.csv", test_dir), *is = NULL;
    assert_int_equal(fs_read(path, 1 << 20, &is, NULL, NULL), 0);
    assert_non_null(strstr(is, ",tier_total_points,tier_total_max_points,cuda_points,"));
    assert_non_null(strstr(is, ",total_points,total_max_points,percent,"));
    tiers[0].name = simd;
}

/* Two columns of one name would hide one of them. */
TEST(dimensions_named_as_columns)
{
    static const struct {
        const char *file, *name;
    } table[] = {
#define COLUMN(table, identifier, name) {#table, name},
#include "report/columns.def"
#undef COLUMN
        {"CASES", "operations"}, {"CASES", "shapes"}, {"CASES", "Size"}, {"CASES", "all"}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const char *file = table[i].file, *name = table[i].name;
        const struct kernel k = {.dims = 1, .dim_name = {name}};
        char key[FIELD_KEY];
        if ((strcmp(file, "CASES") != 0 && strcmp(file, "SAMPLES") != 0) || !*name ||
            strlen(name) >= FIELD_KEY)
            continue;
        kernel_field_key(&k, 0, key);
        if (strncmp(key, "dim_", 4) != 0)
            fail_msg("a dimension %s has a column of that name", name);
    }
    const struct kernel k = {.dims = 2, .dim_name = {"steps", "Samples"}};
    char key[FIELD_KEY];
    kernel_field_key(&k, 0, key);
    assert_string_equal(key, "steps");
    kernel_field_key(&k, 1, key);
    assert_string_equal(key, "dim_samples");
}

TESTS(test_dir_make, test_dir_remove)
