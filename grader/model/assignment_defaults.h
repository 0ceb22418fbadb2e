/* assignment_defaults.h - values of the fields that an assignment file may leave out. */
#ifndef MODEL_ASSIGNMENT_DEFAULTS_H
#define MODEL_ASSIGNMENT_DEFAULTS_H

#define DEFAULT_SEED 1
#define DEFAULT_RANDOM_CASES 30
#define DEFAULT_MIN_DIM 1
#define DEFAULT_MAX_DIM 300
#define DEFAULT_REPEAT 1
#define DEFAULT_STRESS_REPEAT 5
#define DEFAULT_STRESS_TIME_MS 20
#define DEFAULT_SMALLEST_MS 5000
#define DEFAULT_SIZES                                                                              \
    {                                                                                              \
        256, 512, 1023, 1024, 2048                                                                 \
    }
#define DEFAULT_PRECISION 0.02
#define DEFAULT_BUDGET_MS 4000
#define DEFAULT_MIN_SAMPLE_MS 5
#define DEFAULT_BUILD_MS 60000
#define DEFAULT_CASE_MS 20000
#define DEFAULT_UNIT_MS 600000
#define DEFAULT_MEMORY (UINT64_C(1) << 30)
#define DEFAULT_PROCESSES 64
#define DEFAULT_OUTPUT (UINT64_C(1) << 20)
#define DEFAULT_SOURCE (UINT64_C(1) << 20)
#define DEFAULT_FAILURES 3
#define DEFAULT_MAX_CONCURRENT 16
#define DEFAULT_POLL_MS 5000
#define DEFAULT_RETRIES 3
#define DEFAULT_PRAGMAS PRAGMAS_FLAG

#endif
