#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "kernel/outputs.h"
#include "model/assignment.h"
#include "model/cases.h"
#include "test_dir.h"

#define TRUSTED "trusted: {source: dot.c}\n"
#define WORDS_40 "what a student is told, in many words, a"
#define WORDS_160 WORDS_40 WORDS_40 WORDS_40 WORDS_40
#define MISTAKE "{source: x.c, says: no}, "
#define NINE_MISTAKES                                                                              \
    MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE "{source: x.c, says: no}"
#define DOT                                                                                        \
    "types: [f32, f64]\nfunction: T dot(int n, const T *x, const T *y)\n"                          \
    "operands: {x: {size: [n]}, y: {size: [n]}}\n"
#define PAIRS                                                                                      \
    "types: [f64]\nfunction: void f(int n, int *k, T *v, int *few)\n"                              \
    "operands: {k: {size: [n]}, v: {size: [n]}, few: {size: [1]}}\nvalues: {plain: {}}\n"
#define VALUES "values: {whole: {all: whole}, uniform: {all: uniform -1 1, rounded: true}}\n"

static int load(const char *text, const char *type, struct kernel_file **f, struct err *e)
{
    put_at("dot.yaml", text);
    OWNED char *path = at("dot.yaml");
    return kernel_file_load(path, type, f, e);
}

/* The kernel of a file that must be right. */
static struct kernel_file *loaded(const char *text, const char *type)
{
    struct kernel_file *f;
    struct err e = ERR_INIT;
    if (load(text, type, &f, &e) != 0)
        fail_msg("%s\n%s", text, e.text);
    return f;
}

/* Parameters that are added to the students' function, or to those of the instructor. */
TEST(names_of_added_parameters)
{
    static const struct {
        const char *text, *said; /* NULL: the name is free */
    } table[] = {
        ROW("function: void f(int n, double *comm)\noperands: {comm: {size: [n]}}\nvalues: {plain: "
            "{}}\n" TRUSTED,
            "dot.yaml:1: field 'function': no parameter can be named 'comm': in the form for MPI, "
            "one is added that has this name"),
        ROW("function: void f(int stream, double *y)\noperands: {y: {size: [stream]}}\nvalues: "
            "{plain: {}}\n" TRUSTED,
            "'stream': in the form for CUDA"),
        ROW("function: int f(int n, const int *result)\noperands: {result: {size: [n]}}\nvalues: "
            "{whole: {all: whole}}\n" TRUSTED,
            "'result': in the form for a device"),
        ROW("function: void f(int n, int *result)\noperands: {result: {size: [n]}}\nvalues: "
            "{plain: "
            "{}}\n" TRUSTED,
            NULL),
        ROW("function: void f(int n, const int *why, int *y)\ncompare: {y: check}\ntrusted: "
            "{source: dot.c, check: check.c}\noperands: {why: {size: [n]}, y: {size: "
            "[n]}}\nvalues: {whole: {all: whole}}\n",
            "'why': in the check"),
        ROW("function: void f(int n, const int *right_y, int *y)\ncompare: {y: check}\ntrusted: "
            "{source: dot.c, check: check.c}\noperands: {right_y: {size: [n]}, y: {size: "
            "[n]}}\nvalues: {whole: {all: whole}}\n",
            "'right_y': in the check"),
        ROW("function: void f(int y_before, int *y)\ncompare: {y: check}\ntrusted: {source: dot.c, "
            "check: check.c}\noperands: {y: {size: [y_before], inout: true}}\nvalues: {whole: "
            "{all: "
            "whole}}\n",
            "'y_before': in the check"),
        ROW("function: void f(int key, const int *x, int *y)\ntrusted: {source: dot.c, values: "
            "v.c}\noperands: {x: {size: [key]}, y: {size: [key]}}\nvalues: {made: {x: call}}\n",
            "'key': in the function that makes values"),
        ROW("function: void f(int key, const int *why, int *y)\noperands: {why: {size: [key]}, y: "
            "{size: [key]}}\nvalues: {whole: {all: whole}}\n" TRUSTED,
            NULL),
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct kernel_file *f;
        struct err e = ERR_INIT;
        const int rc = load(table[i].text, NULL, &f, &e);
        if ((rc == 0) != !table[i].said || (rc != 0 && !strstr(e.text, table[i].said)))
            fail_msg("%s\n%s", table[i].text, e.text);
        kernel_file_free(f);
    }
}

/* How many elements are wrong. */
static uint64_t compared(const struct kernel *k, struct shape s, const void *const in[],
                         const void *expected, const void *got, struct mismatch *m)
{
    struct accuracy a;
    const struct comparison c = {.shape = s,
                                 .values = k->values[0],
                                 .in = in,
                                 .expected = expected,
                                 .got = got,
                                 .launch = {1, 1}};
    return kernel_compare(k, &c, m, &a);
}

TEST(refusals)
{
    static const struct {
        const char *text, *says;
    } table[] = {
        {"", "is empty"},
        {"nonsense: 1\n", "nonsense"},
        {DOT VALUES, "trusted"},
        {VALUES TRUSTED, "function"},
        /* the function */
        {"function: T dot(float128 n)\n", "1: field 'function': 'float128' is no type; there are"},
        {"function: T dot(int n, const T *x\n", "a comma or ) is expected"},
        {"function: T dot[int n]\n", "( is expected"},
        {"function: double *dot(int n)\n", "the result is a pointer"},
        {"function: void f(int n, int n)\n", "two parameters named 'n'"},
        {"function: void f(int 7)\n", "the name of parameter 1 is missing"},
        {"function: void f(uint64_t n, double *y)\n", "a dimension is an int or an int64_t; if n"},
        {"function: void f(int n, const int k, int *y)\n",
         "k is passed by value, so it needs no const"},
        {"function: void f(double *y)\n", "1 to 4 dimensions: int, and not in `values`; this one"},
        {"function: void f(int n, double *y)\nvalues: {a: {n: constant 3}}\n", "this one has 0"},
        {"function: void f(int class, double *y)\n",
         "1: field 'function': 'class' is a word of C or C++; choose another name, because sources "
         "that have it do not compile"},
        {"function: void f(int n, const double *and, double *y)\n", "'and' is a word of C or C++"},
        {"function: void main(int n, double *y)\n", "'main' is a word of C or C++"},
        {"function: void f(int n, double *__x)\n", "'__x' is a word of C or C++"},
        {"function: void f(int n, double *_X)\n", "'_X' is a word of C or C++"},
        {"function: void f(int n, const double *int64_t, double *y)\n",
         "'int64_t' is a word of C or C++"},
        {"function: void f(int n, double *MPI_Comm)\n", "'MPI_Comm' is a word of MPI or CUDA"},
        {"function: void MPI_Sort(int n, double *y)\n", "'MPI_Sort' is a word of MPI or CUDA"},
        {"function: void f(int n, double *cudaStream_t)\n",
         "'cudaStream_t' is a word of MPI or CUDA"},
        {"function: void f(int a, int b, int c, int d, int e, double *y)\n", "this one has 5"},
        {"function: void f(int n, const double *x)\n",
         "1 to 8 outputs: pointers without const, or a result; this one has 0"},
        {"function: void f(int n, int N, double *x)\n", "n and N differ in capital letters only"},
        {"function: void f(int sixteen_letters_, double *x)\n", "15 characters are allowed"},
        {"function: T dot(int n, const T *x)\n", "there is no list `types`"},
        {"types: [f32]\nfunction: T dot(int n)\n", "chooses one of: f32; it has f64"},
        {"types: [f32, f128]\nfunction: T dot(int n)\n", "'f128' is no type"},
        {"types: [f64]\nfunction: double dot(int n)\n", "does not use T"},
        {"function: double dot(int n)\n", "needs no `type`"},
        /* operands */
        {"types: [f64]\nfunction: T f(int n, const T *x)\n" VALUES TRUSTED, "operands"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {z: {size: [n]}}\n",
         "3: field 'operands.z': the function has no parameter 'z'"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {x: {size: [m]}}\n",
         "field 'operands.x.size[0]': 'm' is no dimension; there are: n"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {x: {size: [n * (2]}}\n",
         "a ) is missing"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {x: {size: [n n]}}\n",
         "+, -, *, / or % is expected"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {x: {size: [n * 0.5]}}\n",
         "only whole numbers"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {x: {size: [log2(n)]}}\n",
         "log2 is no whole number"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {x: {size: []}}\n",
         "a list of 1 to 4 extents"},
        {"types: [f64]\nfunction: T f(int n, const T *x, const T *y)\n"
         "operands: {x: {size: [n]}}\n",
         "y has no size"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\noperands: {x: {size: [n - n]}}\n" VALUES
             TRUSTED,
         "no usual size fits"},
        {"types: [f64]\nfunction: T f(int n, const T *x)\n"
         "operands: {x: {size: [n]}, x: {size: [n]}}\n",
         "field 'operands.x': x is given twice"},
        /* values */
        {"types: [f64]\nfunction: void f(int n, T *x)\noperands: {x: {size: n}}\n"
         "values: {a: {x: whole}}\n" TRUSTED,
         "4: field 'values.a.x': x is an output; it has values before a call if `operands` says "
         "inout: true"},
        {DOT "values: {a: {all: whole}, a: {all: whole}}\n" TRUSTED,
         "there are two kinds of values named a"},
        {DOT "values: {}\n" TRUSTED, "there is no kind of values"},
        {DOT "values: {whole: {x: hole, all: whole}}\n" TRUSTED,
         "field 'values.whole.x': 'hole' is no generator; did you mean 'whole'?"},
        {DOT "values: {whole: {x: whole}}\n" TRUSTED, "y has no generator, and there is no 'all'"},
        {DOT "values: {whole: {all: whole, z: whole}}\n" TRUSTED, "z"},
        {DOT "values: {a: {all: uniform 1 -1}}\n" TRUSTED, "1 is not below -1"},
        {DOT "values: {a: {all: uniform 1}}\n" TRUSTED, "needs 2 numbers"},
        {DOT "values: {a: {all: full}}\n" TRUSTED, "makes integers"},
        {DOT "values: {a: {all: whole 40}}\n" TRUSTED, "from 1 to 31, not 40"},
        {DOT "values: {a: {all: sparse 2 whole}}\n" TRUSTED, "a share is between 0 and 1"},
        {DOT "values: {a: {all: sorted}}\n" TRUSTED, "a generator is missing"},
        {DOT "values: {a: {all: below}}\n" TRUSTED, "'' is no dimension; there are: n"},
        {DOT "values: {a: {all: below 7}}\n" TRUSTED,
         "'below DIMENSION': '7' is no dimension; there are: n"},
        {DOT "values: {a: {all: count n -1}}\n" TRUSTED, "-1 is negative"},
        {DOT "values: {a: {all: offsets 4}}\n" TRUSTED, "'4' is no dimension"},
        {DOT "values: {a: {all: symmetric whole}}\n" TRUSTED,
         "'symmetric' makes a square matrix: size: [n, n]"},
        {"types: [f64]\nfunction: T f(int n, const int *a)\noperands: {a: {size: [n, n]}}\n"
         "values: {a: {all: dominant whole}}\n" TRUSTED,
         "'dominant' needs elements of float or double, and these are int32_t"},
        {DOT "values: {a: {all: count n 1 2}}\n" TRUSTED, "nothing is expected, not '2'"},
        {DOT "values: {a: {all: sorted few 3 sparse 0.1 whole}}\n" TRUSTED, "more than 3"},
        {DOT "values: {a: {all: whole 3 what}}\n" TRUSTED, "nothing is expected, not 'what'"},
        {DOT "values: {a: {all: uniform -1 1}}\n" TRUSTED, "write rounded: true"},
        {DOT "values: {u: {all: uniform -1 1, rounded: true}}\n" TRUSTED,
         "off: compare: {return: {within: "},
        {DOT VALUES "compare: {return: sloppy}\n" TRUSTED, "sloppy"},
        {DOT VALUES "compare: {return: 1e-6}\n" TRUSTED, "is written {within: {absolute: 1e-6}}"},
        {DOT VALUES "compare: {y: exact}\n" TRUSTED, "'y' is no output; there are: return"},
        {DOT VALUES "compare: {return: {within: {}}}\n" TRUSTED, "for example, {absolute: 1}"},
        {DOT VALUES "compare: {return: {within: {absolute: -1}}}\n" TRUSTED, "absolute"},
        {DOT VALUES "compare: {return: {length: return}}\n" TRUSTED, "one integer"},
        {DOT VALUES "compare: {return: {sloppy: 1}}\n" TRUSTED, "sloppy"},
        {PAIRS "compare: {v: {groups: v}}\n" TRUSTED, "the groups come from another output"},
        {PAIRS "compare: {v: {groups: few}}\n" TRUSTED,
         "few and v must have the same size, or few an element for each row of v"},
        {PAIRS "compare: {v: {groups: k, set: true}}\n" TRUSTED, "a set has no groups"},
        {PAIRS "compare: {v: {set: true, where: i < 3}}\n" TRUSTED, "have no place"},
        {PAIRS "compare: {v: {where: h < 3}}\n" TRUSTED, "'h' is no dimension; there are: n, i"},
        {PAIRS "compare: {v: {where: i < }}\n" TRUSTED, "a number or a dimension is missing"},
        {PAIRS "compare: {v: {length: k}}\n" TRUSTED, "one integer"},
        {"types: [f64]\nfunction: void f(int n, const T *x, int *y)\n"
         "operands: {x: {size: [n], inout: true}, y: {size: [n]}}\n" TRUSTED,
         "field 'operands.x.inout': x is const, so it cannot be changed in place"},
        {PAIRS "compare: {v: partition}\n" TRUSTED, "labels are integers of at least 32 bits"},
        {PAIRS "compare: {k: {partition: true, set: true}}\n" TRUSTED, "labels have a place"},
        {PAIRS "compare: {k: {partition: true, length: few}}\n" TRUSTED, "labels have a place"},
        {"types: [f64]\nfunction: void f(int k, T *y)\noperands: {y: {size: [exp2(k, 2)]}}\n",
         "a ) is missing"},
        {"types: [f64]\nfunction: void f(int k, T *y)\noperands: {y: {size: [exp2(k + 40)]}}\n"
         "values: {plain: {}}\n" TRUSTED,
         "no usual size fits"},
        {DOT VALUES "timed: fast\n" TRUSTED, "fast"},
        {DOT VALUES "operations: 2 * m\n" TRUSTED, "field 'operations': 'm' is no dimension"},
        {DOT VALUES "edges: [-1]\n" TRUSTED, "'-1' is not a size"},
        {DOT VALUES "edges: [3000000]\n" TRUSTED, "too large for an edge"},
        {DOT VALUES "trusted: {source: ../dot.c}\n", "lies beside this file"},
        {DOT VALUES "trusted: {}\n", "source"},
        {DOT VALUES "trusted: {source: dot.c, compile: 'gcc -o {out} dot.c'}\n", "needs {src}"},
        {DOT VALUES "trusted: {source: dot.c, second: a/b.c}\n",
         "field 'trusted.second': the trusted source lies beside this file"},
        {DOT VALUES "trusted: {source: dot.c, second: dot.c}\n",
         "field 'trusted.second': is the trusted source itself"},
        {DOT VALUES "trusted: {source: x.c, mistakes: [{source: x.c, says: no}]}\n",
         "field 'trusted.mistakes[0].source': is the trusted source itself"},
        {DOT VALUES "trusted: {source: dot.c, mistakes: {source: x.c}}\n", "trusted.mistakes"},
        {DOT VALUES "trusted: {source: dot.c, mistakes: [{source: a/b.c, says: no}]}\n",
         "field 'trusted.mistakes[0].source': the trusted source lies beside this file"},
        {DOT VALUES "trusted: {source: dot.c, mistakes: [{source: x.c}]}\n", "says"},
        {DOT VALUES "trusted: {source: dot.c, mistakes: [{source: x.c, says: ''}]}\n",
         "field 'trusted.mistakes[0].says': is empty"},
        {DOT VALUES "trusted: {source: dot.c, mistakes: [{source: x.c, says: '" WORDS_160 "x'}]}\n",
         "field 'trusted.mistakes[0].says': 161 characters, and 160 are the most"},
        {DOT VALUES "trusted: {source: dot.c, mistakes: [{source: x.c, says: no, line: 3}]}\n",
         "line"},
        {DOT VALUES "trusted: {source: dot.c, check: c.c, mistakes: [{source: x.c, says: no}]}\n",
         "a check tells by itself"},
        {DOT VALUES "trusted: {source: dot.c, mistakes: [" NINE_MISTAKES "]}\n",
         "9 mistakes, and 8 are the most"},
        /* examples */
        {DOT VALUES TRUSTED "examples: [{n: 1, x: [1], return: 2}]\n", "y"},
        {DOT VALUES TRUSTED "examples: [{n: 1, x: [1], y: [2], z: 3, return: 2}]\n", "z"},
        {DOT VALUES TRUSTED "examples: [{n: 0, x: [], y: [], return: 2}]\n", "examples[0].n"},
        {DOT VALUES TRUSTED "examples: [{n: 2, x: [1, 2], y: [3], return: 2}]\n",
         "field 'examples[0].y': y has 2 elements here, and the example gives 1"},
        {DOT VALUES TRUSTED "examples: [{n: 2, x: [1, 2, 3], y: [3, 4], return: 2}]\n",
         "x has 2 elements here, and the example gives 3"},
        {DOT VALUES TRUSTED "examples: [{n: 2, x: [1, a], y: [3, 4], return: 2}]\n",
         "field 'examples[0].x[1]'"},
        {DOT VALUES TRUSTED "examples: [{n: 2, x: {2: 1}, y: [3, 4], return: 2}]\n",
         "'2' is no index of an element; they are 0 to 1"},
        {DOT VALUES TRUSTED "examples: 7\n", "examples"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct kernel_file *f;
        struct err e = ERR_INIT;
        if (load(table[i].text, "f64", &f, &e) != -1)
            fail_msg("taken:\n%s", table[i].text);
        if (!strstr(e.text, table[i].says))
            fail_msg("'%s' says '%s', not '%s'", table[i].text, e.text, table[i].says);
        assert_null(f);
    }
}

TEST(examples)
{
    const char text[] = "function: void f(int h, int w, const uint64_t *x, int8_t *y)\n"
                        "operands: {x: {size: [h, w]}, y: {size: [w]}}\n"
                        "values: {full: {x: full}}\ntrusted: {source: f.c, second: g.c, "
                        "mistakes: [{source: h.c, says: it is h}]}\n"
                        "examples:\n"
                        "  - {h: 2, w: 3, x: [[1, 2, 3], [4, 5, 18446744073709551615]],\n"
                        "     y: {2: -128}}\n";
    struct kernel_file *f = loaded(text, NULL);
    assert_string_equal(f->second, "g.c");
    const char *parts[KERNEL_FILE_PARTS];
    kernel_file_parts(f, parts);
    assert_string_equal(parts[2], "h.c"); /* not the second source: a run does not need it */
    assert_null(parts[3]);
    assert_string_equal(f->mistake[0].says, "it is h");
    assert_int_equal(f->examples, 1);
    const struct kernel_example *x = &f->example[0];
    const uint64_t *in = x->in[0];
    const int8_t *out = (const int8_t *)x->out;
    assert_int_equal(x->shape.dim[0], 2);
    assert_int_equal(x->shape.dim[1], 3);
    assert_int_equal(x->line[0], 7);
    assert_true(in[0] == 1 && in[3] == 4 && in[5] == UINT64_MAX);
    assert_true(out[0] == 0 && out[1] == 0 && out[2] == -128);
    kernel_file_free(f);
}

static struct kernel_file *dot(const char *type)
{
    return loaded(DOT VALUES "operations: 2 * n\nedges: [10007]\n" TRUSTED, type);
}

TEST(a_kernel)
{
    struct kernel_file *f = dot("f64");
    const struct kernel *k = &f->kernel;
    struct shape s;
    struct err e = ERR_INIT;
    assert_string_equal(k->name, "dot");
    assert_string_equal(k->function, "dot_f64");
    assert_int_equal(k->dims, 1);
    assert_int_equal(k->inputs, 2);
    assert_true(k->returns);
    assert_int_equal(k->out.type, TYPE_F64);
    assert_null(k->expect);
    assert_int_equal(kernel_shape(k, "100", NULL, &s, &e), 0);
    assert_int_equal(operand_bytes(&k->in[1], s), 800);
    assert_int_equal(operand_bytes(&k->out, s), 8);
    assert_true(kernel_operations(k, s) == 200);
    assert_true(k->counts_are_claims);
    assert_string_equal(kernel_values_name(k, k->values[1]), "uniform");
    assert_true(kernel_values_exact(k, k->values[0]));
    assert_false(kernel_values_exact(k, k->timed));
    assert_int_equal(k->edges[0].dim[0], 10007);
    for (int i = 0; i < k->edges_count; i++)
        assert_int_equal(kernel_takes(k, k->edges[i], NULL), 0);
    kernel_file_free(f);
    f = dot("f32");
    assert_string_equal(f->kernel.function, "dot_f32");
    kernel_file_free(f);
}

/* Sizes that every kernel has are computed by the trusted source, so they must not take hours. */
TEST(edges_are_bounded)
{
    const char *text[] = {DOT VALUES TRUSTED, DOT VALUES "operations: n * n * n\n" TRUSTED};
    const int most[] = {1031, 257};
    for (int i = 0; i < 2; i++) {
        struct kernel_file *f = loaded(text[i], "f64");
        const struct kernel *k = &f->kernel;
        assert_int_equal(k->edges[k->edges_count - 1].dim[0], most[i]);
        kernel_file_free(f);
    }
}

/* Of 2^k complex numbers, 2^30 are allowed and no machine's. */
TEST(random_sizes_are_bounded)
{
    FREED_BY(case_list_free) struct case_list cases = {0};
    struct kernel_file *f = loaded("function: void fft(int k, c128 *x)\n"
                                   "operands: {x: {size: [exp2(k)], inout: true}}\n"
                                   "values: {uniform: {x: uniform -1 1}}\nedges: [2, 6]\n"
                                   "compare: {x: {within: {absolute: 1e-9}}}\n" TRUSTED,
                                   NULL);
    struct tier tier = {.name = (char[]){"a"}, .kernel = &f->kernel};
    const struct assignment a = {.kernel = &f->kernel,
                                 .correctness = {.random = 200, .min_dim = 1, .max_dim = 60},
                                 .tiers = &tier,
                                 .tiers_count = 1};
    cases_make(&a, 1, &cases);
    assert_in_range(cases.count, 50, 199);
    for (size_t i = 0; i < cases.count; i++)
        assert_in_range(cases.item[i].shape.dim[0], 1, 23);
    kernel_file_free(f);
}

/* The sets of a partition are compared, not their names. */
TEST(partitions)
{
    enum { N = 6 };
    static const struct {
        int64_t got[N]; /* right: 0 0 2 0 4 2 */
        uint64_t wrong;
        const char *element, *says;
    } table[] = {
        {{0, 0, 2, 0, 4, 2}, 0, "", ""},
        {{7, 7, -1, 7, 0, -1}, 0, "", ""},
        {{1, 1, 1, 1, 1, 1}, 3, "label[2]", "a label is shown as the first element that has it"},
        {{0, 1, 2, 3, 4, 5}, 3, "label[1]", ""},
        {{5, 5, 2, 5, 4, 4}, 1, "label[5]", ""},
        {{INT64_MIN, INT64_MIN, INT64_MAX, INT64_MIN, 3, INT64_MAX}, 0, "", ""},
    };
    static const int64_t right[N] = {0, 0, 2, 0, 4, 2};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct kernel_file *f;
        struct err e = ERR_INIT;
        if (load("function: void f(int n, int m, const int *from, int64_t *label)\n"
                 "operands: {from: {size: [m]}, label: {size: [n]}}\n"
                 "values: {plain: {from: below n}}\ncompare: {label: partition}\n" TRUSTED,
                 NULL, &f, &e) != 0)
            fail_msg("%s", e.text);
        const void *const in[] = {NULL};
        struct mismatch m;
        const uint64_t wrong =
            compared(&f->kernel, (struct shape){.dim = {N, 1}}, in, right, table[i].got, &m);
        if (wrong != table[i].wrong || strcmp(m.element, table[i].element) != 0 ||
            !strstr(m.pattern, table[i].says))
            fail_msg("%zu: %d wrong, first %s: %s", i, (int)wrong, m.element, m.pattern);
        kernel_file_free(f);
    }
}

/* What a check refuses is its output, or, if it judges several, the result. */
TEST(a_check_names_what_it_judges)
{
    static const char *const table[][2] = {{"v: check", "v"}, {"v: check, k: check", "the result"}};
    const struct opinion no = {.right = false, .why = "k[0] is 7"};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct kernel_file *f;
        struct err e = ERR_INIT;
        struct mismatch m;
        struct accuracy a;
        OWNED char *text = xasprintf(
            PAIRS "compare: {%s}\ntrusted: {source: dot.c, check: check.c}\n", table[i][0]);
        if (load(text, "f64", &f, &e) != 0)
            fail_msg("%s\n%s", text, e.text);
        const struct shape s = {.dim = {1}};
        OWNED void *result = xcalloc(kernel_output_bytes(&f->kernel, s), 1);
        const struct comparison c = {.shape = s,
                                     .values = f->kernel.values[0],
                                     .expected = result,
                                     .got = result,
                                     .checked = &no,
                                     .launch = {1, 1}};
        assert_true(kernel_compare(&f->kernel, &c, &m, &a) > 0);
        assert_string_equal(m.element, table[i][1]);
        assert_string_equal(m.pattern, "k[0] is 7");
        kernel_file_free(f);
    }
    (void)arg;
}

/* Results of two outputs, the first in place: what the rules take and what they refuse. */
TEST(several_outputs)
{
    enum { N = 5 };
    static const struct {
        const char *compare;
        double k[N], v[N]; /* k: 1 1 2 3 3, v: 10 20 30 40 50 */
        uint64_t wrong;
        const char *element; /* the first wrong one */
    } table[] = {
        {"", {1, 1, 2, 3, 3}, {10, 20, 30, 40, 50}, 0, ""},
        {"", {1, 1, 2, 3, 3}, {20, 10, 30, 40, 51}, 3, "v[0]"},
        {"", {1, 9, 2, 3, 3}, {10, 20, 30, 40, 51}, 2, "k[1]"},
        {"compare: {v: {groups: k}}", {1, 1, 2, 3, 3}, {20, 10, 30, 50, 40}, 0, ""},
        {"compare: {v: {groups: k}}", {1, 1, 2, 3, 3}, {20, 30, 10, 50, 40}, 3, "v[0]"},
        {"compare: {v: set}", {1, 1, 2, 3, 3}, {50, 40, 30, 20, 10}, 0, ""},
        {"compare: {v: set}", {1, 1, 2, 3, 3}, {50, 40, 30, 20, 20}, 1, "v[0]"},
        {"compare: {v: {within: {absolute: 1}}}", {1, 1, 2, 3, 3}, {9, 21, 30, 40, 48}, 1, "v[4]"},
        {"compare: {v: {within: {relative: 0.1}}}",
         {1, 1, 2, 3, 3},
         {8, 18, 33, 44, 55},
         1,
         "v[0]"},
        {"compare: {v: {within: {absolute: 1}}}",
         {1, 1, 2, 3, 3},
         {NAN, 20, 30, 40, 50},
         1,
         "v[0]"},
        {"compare: {v: {where: i > 0 and i < n - 1}}", {1, 1, 2, 3, 3}, {0, 20, 30, 40, 0}, 0, ""},
        {"compare: {v: {where: i > 0 and i < n - 1}}",
         {1, 1, 2, 3, 3},
         {0, 20, 0, 40, 0},
         1,
         "v[2]"},
        {"compare: {v: {where: mask}}", {1, 1, 2, 3, 3}, {10, 0, 30, 0, 50}, 0, ""},
        {"compare: {v: {where: mask}}", {1, 1, 2, 3, 3}, {10, 0, 0, 0, 50}, 1, "v[2]"},
        {"compare: {v: {length: few}}", {1, 1, 2, 3, 3}, {10, 20, 30, 0, NAN}, 0, ""},
        {"compare: {v: {length: few, set: true}}", {1, 1, 2, 3, 3}, {30, 10, 20, 0, 0}, 0, ""},
        {"compare: {v: {length: few}}", {1, 1, 2, 3, 3}, {10, 20, 0, 0, 0}, 1, "v[2]"},
    };
    static const double k[N] = {1, 1, 2, 3, 3}, v[N] = {10, 20, 30, 40, 50}, before[N] = {0};
    static const int32_t mask[N] = {1, 0, 1, 0, 1}, few = 3;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text =
            xasprintf("types: [f64]\nfunction: void f(int n, T *k, T *v, int *mask, int *few)\n"
                      "operands: {k: {size: [n], inout: true}, v: {size: [n]}, "
                      "mask: {size: [n]}, few: {size: [1]}}\nvalues: {plain: {k: whole}}\n"
                      "%s\n" TRUSTED,
                      table[i].compare);
        struct kernel_file *f = loaded(text, "f64");
        const struct kernel *kernel = &f->kernel;
        const struct shape s = {.dim = {N}};
        const size_t bytes = kernel_output_bytes(kernel, s);
        OWNED unsigned char *right = xcalloc(bytes, 1), *got = xcalloc(bytes, 1);
        const void *const outputs[2][4] = {{k, v, mask, &few},
                                           {table[i].k, table[i].v, mask, &few}};
        assert_int_equal(kernel_outputs(kernel), 4);
        assert_int_equal(kernel->inputs, 1); /* what k holds before */
        assert_true(kernel_in_place(kernel));
        for (int o = 0; o < 4; o++) {
            const size_t at = kernel_output_at(kernel, s, o);
            assert_int_equal(at % OUTPUT_ALIGN, 0);
            memcpy(right + at, outputs[0][o], operand_bytes(kernel_output(kernel, o), s));
            memcpy(got + at, outputs[1][o], operand_bytes(kernel_output(kernel, o), s));
        }
        const void *const in[] = {before};
        struct mismatch m;
        const uint64_t wrong = compared(kernel, s, in, right, got, &m);
        if (wrong != table[i].wrong || strcmp(m.element, table[i].element) != 0)
            fail_msg("%zu %s: %d wrong, first %s", i, table[i].compare, (int)wrong, m.element);
        kernel_file_free(f);
    }
}

/* Rows are what is in any order; their elements stay together. */
TEST(rows_in_any_order)
{
    enum { N = 4 };
    static const struct {
        const char *rule;
        double got[N][2]; /* right: (1, 5) (2, 4) (2, 3) (3, 0), with the keys 1 2 2 3 */
        uint64_t wrong;
    } table[] = {
        {"exact", {{1, 5}, {2, 4}, {2, 3}, {3, 0}}, 0},
        {"exact", {{1, 5}, {2, 3}, {2, 4}, {3, 0}}, 2},
        {"set", {{3, 0}, {2, 3}, {1, 5}, {2, 4}}, 0},
        {"set", {{1, 5}, {2, 4}, {3, 2}, {3, 0}}, 4},
        {"{groups: key}", {{1, 5}, {2, 3}, {2, 4}, {3, 0}}, 0},
        {"{groups: key}", {{1, 5}, {2, 4}, {3, 2}, {3, 0}}, 3},
        {"{groups: key}", {{2, 4}, {1, 5}, {2, 3}, {3, 0}}, 5},
    };
    static const double p[N][2] = {{1, 5}, {2, 4}, {2, 3}, {3, 0}};
    static const int32_t key[N] = {1, 2, 2, 3};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED char *text =
            xasprintf("function: void f(int n, const int *x, double *p, int *key)\n"
                      "operands: {x: {size: [n]}, p: {size: [n, 2]}, key: {size: [n]}}\n"
                      "values: {plain: {x: full}}\ncompare: {p: %s}\n" TRUSTED,
                      table[i].rule);
        struct kernel_file *f = loaded(text, NULL);
        const struct shape s = {.dim = {N}};
        OWNED unsigned char *right = xcalloc(kernel_output_bytes(&f->kernel, s), 1);
        OWNED unsigned char *got = xcalloc(kernel_output_bytes(&f->kernel, s), 1);
        const size_t at = kernel_output_at(&f->kernel, s, 1);
        memcpy(right, p, sizeof p);
        memcpy(right + at, key, sizeof key);
        memcpy(got, table[i].got, sizeof p);
        memcpy(got + at, key, sizeof key);
        struct mismatch m;
        const uint64_t wrong = compared(&f->kernel, s, NULL, right, got, &m);
        if (wrong != table[i].wrong)
            fail_msg("%zu %s: %d wrong, first %s", i, table[i].rule, (int)wrong, m.element);
        kernel_file_free(f);
    }
}

/* Every order of a sum of products of whole numbers is exact. */
TEST(whole_numbers)
{
    enum { N = 10007 };
    static const char *const types[] = {"f64", "f32"};
    for (int t = 0; t < 2; t++) {
        struct kernel_file *f = dot(types[t]);
        const struct kernel *k = &f->kernel;
        const double most = t ? 0x1p24 : 0x1p53;
        const struct shape s = {.dim = {N}};
        double x[2][N], sum = 0;
        for (int i = 0; i < 2; i++) {
            float narrow[N];
            k->generate(k, s, k->values[0], 5, i, t ? (void *)narrow : (void *)x[i]);
            for (int j = 0; j < N && t; j++)
                x[i][j] = (double)narrow[j];
        }
        for (int j = 0; j < N; j++) {
            assert_true(x[0][j] != 0 && x[0][j] == floor(x[0][j]));
            sum += fabs(x[0][j] * x[1][j]);
        }
        assert_true(sum < most);
        kernel_file_free(f);
    }
}

static int32_t *filled(const char *words, uint64_t seed, uint32_t n)
{
    struct generators g;
    struct err e = ERR_INIT;
    int32_t *x = xcalloc(n + 1, sizeof *x);
    static const char *const names[] = {"h", "n"};
    const int dim[] = {9, (int)n};
    const struct generator_target t = {
        .type = TYPE_I32, .n = n, .dim = dim, .terms = n, .seed = seed};
    const struct generator_site site = {TYPE_I32, names, 2, true};
    if (generators_read(words, &site, &g, &e) != 0)
        fail_msg("%s", e.text);
    generators_fill(&g, &t, x);
    return x;
}

/* How many elements are followed by a smaller one, by an equal one; and the extremes. */
struct facts {
    uint32_t falls, equal, of_seven;
    int32_t least, most;
};

static struct facts look(const int32_t *x, uint32_t n)
{
    struct facts f = {.least = x[0], .most = x[0]};
    for (uint32_t i = 0; i < n; i++) {
        f.falls += i + 1 < n && x[i + 1] < x[i];
        f.equal += i + 1 < n && x[i + 1] == x[i];
        f.of_seven += x[i] == 7;
        f.least = x[i] < f.least ? x[i] : f.least;
        f.most = x[i] > f.most ? x[i] : f.most;
    }
    return f;
}

TEST(generators)
{
    enum { N = 5000 };
    static const struct {
        const char *words;
        int32_t least, most;              /* bounds of all elements */
        uint32_t falls_least, falls_most; /* 0, N: any number */
    } table[] = {
        {"uniform -3 9", -3, 9, 1, N},
        {"constant 4", 4, 4, 0, 0},
        {"choice 1 2 5", 1, 5, 1, N},
        {"permutation", 0, N - 1, 1, N},
        {"distinct", 0, 8 * N, 1, N},
        {"whole 4", -15, 15, 1, N},
        {"below h", 0, 8, 1, N},
        {"below n", 0, N - 1, 1, N},
        {"count n", 0, N - 1, 0, 0},
        {"count h 4", 0, 8, N / 9, N / 9 + 1},
        {"sorted below n", 0, N - 1, 0, 0},
        {"offsets h", 0, 9, 0, 0},
        {"offsets n", 0, N, 0, 0},
        {"sorted full", INT32_MIN, INT32_MAX, 0, 0},
        {"sorted uniform 0 9", 0, 9, 0, 0},
        {"reversed permutation", 0, N - 1, N - 1, N - 1},
        {"few 3 full", INT32_MIN, INT32_MAX, 1, N},
        {"sparse 0.1 uniform 1 5", 0, 5, 1, N},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        OWNED int32_t *x = filled(table[i].words, 3, N), *same = filled(table[i].words, 3, N),
                      *other = filled(table[i].words, 4, N);
        const struct facts f = look(x, N);
        if (f.least < table[i].least || f.most > table[i].most || f.falls < table[i].falls_least ||
            f.falls > table[i].falls_most)
            fail_msg("%s: %d .. %d, %u falls", table[i].words, (int)f.least, (int)f.most, f.falls);
        assert_memory_equal(x, same, N * sizeof *x);
        if (f.most > f.least && strcmp(table[i].words, "reversed permutation") != 0 &&
            strncmp(table[i].words, "count", 5) != 0)
            assert_memory_not_equal(x, other, N * sizeof *x);
        assert_int_equal(x[N], 0); /* nothing is written behind the end */
    }
}

TEST(matrices)
{
    enum { N = 40 };
    static const char *const names[] = {"n"};
    static const struct {
        const char *words;
        bool symmetric, lower, dominant;
    } table[] = {
        {"symmetric uniform -1 1", true, false, false},
        {"lower uniform -1 1", false, true, false},
        {"dominant uniform -1 1", false, false, true},
        {"dominant symmetric whole 9", true, false, true},
        {"dominant lower uniform -1 1", false, true, true},
    };
    const struct generator_site site = {TYPE_F64, names, 1, true};
    const int dim[] = {N};
    const struct generator_target t = {
        .type = TYPE_F64, .n = N * N, .dim = dim, .terms = N, .seed = 4};
    for (size_t c = 0; c < sizeof table / sizeof table[0]; c++) {
        struct generators g;
        struct err e = ERR_INIT;
        double x[N][N];
        bool symmetric = true, lower = true, dominant = true;
        if (generators_read(table[c].words, &site, &g, &e) != 0)
            fail_msg("%s", e.text);
        generators_fill(&g, &t, x);
        for (int i = 0; i < N; i++) {
            double others = 0;
            for (int j = 0; j < N; j++) {
                others += j == i ? 0 : fabs(x[i][j]);
                symmetric = symmetric && x[i][j] == x[j][i];
                lower = lower && (j <= i) == (x[i][j] != 0);
            }
            dominant = dominant && x[i][i] > others;
        }
        if (symmetric != table[c].symmetric || lower != table[c].lower ||
            dominant != table[c].dominant)
            fail_msg("%s: %d %d %d", table[c].words, symmetric, lower, dominant);
    }
    /* The last row ends where the entries end. */
    OWNED int32_t *x = filled("offsets h", 3, 50);
    assert_true(x[0] == 0 && x[49] == 9);
}

TEST(planted)
{
    int runs = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        OWNED int32_t *x = filled("plant 7 0.5 uniform 0 6", seed, 50);
        const uint32_t n = look(x, 50).of_seven;
        assert_true(n <= 1);
        runs += (int)n;
    }
    assert_in_range(runs, 70, 130);
}

TEST(expressions)
{
    static const char *const names[] = {"n", "m"};
    static const int dim[] = {7, 3};
    static const struct {
        const char *text;
        int64_t value;
        bool known;
    } table[] = {
        {"n", 7, true},
        {"n + m * 2", 13, true},
        {"(n + m) * 2", 20, true},
        {"n - m - 1", 3, true},
        {"n / m * m + n % m", 7, true},
        {"-n + 8", 1, true},
        {"min(n, m) + max(n, 20)", 23, true},
        {"n > m", 1, true},
        {"n <= m or m != 3", 0, true},
        {"m >= 1 and m < n - 1 and n == 7", 1, true},
        {"(n < m) * 5 + 2", 2, true},
        {"n / (m - 3)", 0, false},
        {"exp2(m) + exp2(0)", 9, true},
        {"exp2(n * n + 14)", 0, false},
        {"exp2(-m)", 0, false},
        {"9000000000000000 * 9000000000000000", 0, false},
    };
    struct expression x;
    struct err e = ERR_INIT;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        int64_t v = 0;
        if (expression_read(table[i].text, names, 2, true, &x, &e) != 0)
            fail_msg("%s", e.text);
        assert_int_equal(expression_integer(&x, dim, &v), table[i].known);
        if (table[i].known && v != table[i].value)
            fail_msg("%s = %d", table[i].text, (int)v);
        if (table[i].known && !strchr(table[i].text, '/'))
            assert_true(expression_number(&x, dim) == (double)v);
    }
    assert_int_equal(expression_read("0.5 * n * log2(n + 1)", names, 2, false, &x, &e), 0);
    assert_true(expression_number(&x, dim) == 10.5);
    char deep[200];
    memset(deep, '(', sizeof deep);
    memcpy(deep + 100, "n", 2);
    assert_int_equal(expression_read(deep, names, 2, true, &x, &e), -1);
    assert_non_null(strstr(e.text, "nested too deeply"));
}

/* Units of rounded results: what the trusted source differs by, at least the rounding of a number.
 */
TEST(rounded_results)
{
    struct kernel_file *f = dot("f64");
    static const struct {
        double got, spread;
        bool right;
    } table[] = {
        {1, 0, true},
        {1 + 0x1p-50, 0, true},
        {1 + 0x1p-40, 0, false},
        {1 + 0x1p-40, 0x1p-42, true},
        {(double)NAN, 1, false},
        {(double)INFINITY, 1, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const double expected = 1;
        struct mismatch m;
        struct accuracy a;
        const struct comparison c = {.shape = {.dim = {9}},
                                     .values = f->kernel.values[1],
                                     .expected = &expected,
                                     .got = &table[i].got,
                                     .spread = &table[i].spread,
                                     .launch = {1, 1}};
        if ((kernel_compare(&f->kernel, &c, &m, &a) == 0) != table[i].right)
            fail_msg("row %zu", i);
        if (!table[i].right)
            assert_string_equal(m.element, "return");
    }
    kernel_file_free(f);
}

/* How far may a result be from infinity? */
TEST(infinite_results)
{
    static const char *const within[] = {"{relative: 0.1}", "{absolute: 5, relative: 1e-9}"};
    static const struct {
        double expected, got;
        bool right;
    } table[] = {
        {(double)INFINITY, (double)INFINITY, true},
        {(double)INFINITY, 1, false},
        {(double)INFINITY, -(double)INFINITY, false},
        {-(double)INFINITY, 0, false},
        {1, (double)INFINITY, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        for (int k = 0; k < 2; k++) {
            char *text = xasprintf(DOT "values: {whole: {all: whole}}\n"
                                       "compare: {return: {within: %s}}\n" TRUSTED,
                                   within[k]);
            struct kernel_file *f = loaded(text, "f64");
            const struct shape s = {.dim = {9}};
            struct mismatch m;
            if ((compared(&f->kernel, s, NULL, &table[i].expected, &table[i].got, &m) == 0) !=
                table[i].right)
                fail_msg("row %zu, %s", i, within[k]);
            free(text);
            kernel_file_free(f);
        }
}

TEST(header)
{
    struct kernel_file *f = loaded("about: ends */ here\n" DOT VALUES TRUSTED, "f64");
    OWNED char *text = kernel_file_header(f);
    static const char *const has[] = {
        "double dot_f64(int n, const double *x, const double *y);",
        "float dot_f32_mpi(int n, const float *x, const float *y, MPI_Comm comm);",
        "void dot_f64_cuda(int n, const double *x, const double *y, double *result, cudaStream_t",
        "#ifndef PARAGRADE_DOT_H", "ends * / here"};
    for (size_t i = 0; i < sizeof has / sizeof has[0]; i++)
        if (!strstr(text, has[i]))
            fail_msg("no '%s' in\n%s", has[i], text);
    kernel_file_free(f);
}

TESTS(test_dir_make, test_dir_remove)
