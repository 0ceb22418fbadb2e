/* Kernels in files: what is refused, and what a good file says. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "kernel/file.h"
#include "model/assignment.h"
#include "model/cases.h"

#include "load_kernel_file.h"

#define WORDS_40 "what a student is told, in many words, a"
#define WORDS_160 WORDS_40 WORDS_40 WORDS_40 WORDS_40
#define MISTAKE "{source: x.c, says: no}, "
#define NINE_MISTAKES                                                                              \
    MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE MISTAKE "{source: x.c, says: no}"

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
         "before 'n', one of these is expected: + - * / %"},
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

/* Rates are compared with the peak of this type: of the floats, where results are whole numbers. */
TEST(the_type_of_the_arithmetic)
{
    static const struct {
        const char *x, *y;
        enum element_type type;
    } table[] = {
        {"int", "double", TYPE_F64}, {"double", "float", TYPE_F32},    {"float", "int", TYPE_F32},
        {"c128", "int", TYPE_F64},   {"uint8_t", "int64_t", TYPE_I32},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *text = xasprintf("function: void f(int n, const %s *x, const int *z, %s *y)\n"
                               "operands: {x: {size: [n]}, y: {size: [n]}, z: {size: [n]}}\n"
                               "values: {some: {all: uniform 0 9}}\ncompare: {y: exact}\n" TRUSTED,
                               table[i].x, table[i].y);
        struct kernel_file *f = loaded(text, NULL);
        if (f->kernel.type != table[i].type)
            fail_msg("%s: %s", text, type_name(f->kernel.type));
        free(text);
        kernel_file_free(f);
    }
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
