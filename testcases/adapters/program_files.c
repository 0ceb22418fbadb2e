/* Interface: a program with main(argc, argv): it reads files or stdin, writes a file or stdout.
 * Lines: type: i32, and the allow list of gemm-i32.yaml; compile: gcc -std=gnu11 ...
 *        -Wl,-Bsymbolic,--wrap=exit,--wrap=fopen,--wrap=fclose -I{abi} -o {out} {src}
 *
 * Two files hold the matrices: rows and columns in the first line, then the elements. The program
 * is started as `program A.txt B.txt C.txt`. Files of these names are the matrices and the result.
 * Of files with other names, the first one that is opened is A, and the next one is B. stdin is A,
 * then B. The result is C.txt, else the first file that was written, else what was printed. Lines
 * with anything but numbers are left out of it, and so are a first line with its size, and A and B
 * if they are printed before C.
 *
 * -DSQUARE: a file begins with n only, and stdin has it once. -DONE_FILE: each file is A, then B.
 * -DARGUMENTS=threads,first,second,product,TEXT(0): of the names in run_program(), and texts.
 * C++ with ifstream and ofstream: g++ -include {abi}/program_streams.h
 * MPI: kind: mpi, -DPARAGRADE_MPI, and --wrap=MPI_Init,--wrap=MPI_Init_thread,--wrap=MPI_Finalize
 *      mpicxx: also -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "gemm.h"
#include "program.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>
#ifdef __cplusplus
#include "program_streams.h"
#endif

#if __has_include("adapter_names.h")
#include "adapter_names.h"
#endif

#ifndef ARGUMENTS
#define ARGUMENTS first, second, product
#endif
#define TEXT(word) ((char *)#word) /* a command in the assignment has no quotes */

#ifdef __cplusplus
extern "C" {
#endif
FILE *__real_fopen(const char *name, const char *mode);
int __real_fclose(FILE *f);
FILE *__wrap_fopen(const char *name, const char *mode);
int __wrap_fclose(FILE *f);
#ifdef __cplusplus
}
#endif

/* --- the matrices as text --------------------------------------------------------------------- */

enum { MATRICES = 2, BOTH = MATRICES, FILES_MOST = 16, NAME_MOST = 256 };

static struct {
    int rows, columns;
    const int32_t *elements;
} input[MATRICES];

static void write_matrix(FILE *f, int which, bool header)
{
    const int rows = input[which].rows, columns = input[which].columns;
#ifdef SQUARE
    if (header)
        fprintf(f, "%d\n", rows);
#else
    (void)header;
    fprintf(f, "%d %d\n", rows, columns);
#endif
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            fprintf(f, "%d%c", (int)input[which].elements[(size_t)i * (size_t)columns + (size_t)j],
                    j + 1 < columns ? ' ' : '\n');
}

static void *checked(void *p)
{
    if (!p)
        abort();
    return p;
}

/* The text of a matrix, or of both. malloc'ed. */
static char *text_of(int which, size_t *length)
{
    char *text = NULL;
    FILE *f = (FILE *)checked(open_memstream(&text, length));
    for (int i = 0; i < MATRICES; i++)
        if (which == i || which == BOTH)
            write_matrix(f, i, i == 0 || which != BOTH);
    __real_fclose(f);
    return (char *)checked(text);
}

/* --- the program's files ---------------------------------------------------------------------- */

static char first[] = "A.txt", second[] = "B.txt", product[] = "C.txt";

static struct file {
    FILE *f; /* NULL: a file that was read, and closed */
    char *text;
    size_t length;
    bool written;
    char name[NAME_MOST];
} files[FILES_MOST];

static int others; /* files that were read and have other names */

static struct file *unused(void)
{
    for (int i = 0; i < FILES_MOST; i++)
        if (!files[i].f)
            return &files[i];
    return NULL;
}

static struct file *written(const char *name)
{
    for (int i = 0; i < FILES_MOST; i++)
        if (files[i].written && strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

static FILE *open_matrix(const char *name)
{
    struct file *file = unused();
    int which = BOTH;
#ifndef ONE_FILE
    which = strcmp(name, first) == 0 ? 0 : strcmp(name, second) == 0 ? 1 : others++ % MATRICES;
#endif
    (void)name;
    if (!file)
        return NULL;
    file->text = text_of(which, &file->length);
    file->f = fmemopen(file->text, file->length, "r");
    return file->f;
}

/* What is written goes to memory, also after fclose(): the program may append to it. */
static FILE *open_output(const char *name, bool append)
{
    struct file *file = written(name);
    if (file && append)
        return file->f;
    if (file) {
        __real_fclose(file->f);
        free(file->text);
    } else if (!(file = unused())) {
        return NULL;
    }
    snprintf(file->name, sizeof file->name, "%s", name);
    file->written = true;
    file->f = open_memstream(&file->text, &file->length);
    return file->f;
}

FILE *__wrap_fopen(const char *name, const char *mode)
{
    if (!program_running)
        return __real_fopen(name, mode);
    return mode[0] == 'r' ? open_matrix(name) : open_output(name, mode[0] == 'a');
}

static int close_read(struct file *file)
{
    const int rc = __real_fclose(file->f);
    free(file->text);
    file->f = NULL;
    file->text = NULL;
    return rc;
}

int __wrap_fclose(FILE *f)
{
    for (int i = 0; program_running && i < FILES_MOST; i++)
        if (files[i].f == f && files[i].written)
            return fflush(f);
        else if (files[i].f == f)
            return close_read(&files[i]);
    return __real_fclose(f);
}

static void close_files(void)
{
    for (int i = 0; i < FILES_MOST; i++) {
        if (files[i].f)
            __real_fclose(files[i].f);
        free(files[i].text);
    }
}

/* The program's terminal. Most programs do not read from it, so the text is made when they do. */
static struct {
    char *typed, *printed;
    size_t typed_length, printed_length, at;
} terminal;

/* A line of input. What is printed after a prompt then begins a line. */
static ssize_t read_typed(void *cookie, char *to, size_t n)
{
    (void)cookie;
    if (!terminal.typed)
        terminal.typed = text_of(BOTH, &terminal.typed_length);
    fflush(stdout);
    if (terminal.printed_length && terminal.printed[terminal.printed_length - 1] != '\n')
        fputc('\n', stdout);
    const char *line = terminal.typed + terminal.at;
    const size_t length = strcspn(line, "\n") + (terminal.at < terminal.typed_length);
    if (n > length)
        n = length;
    memcpy(to, line, n);
    terminal.at += n;
    return (ssize_t)n;
}

/* --- the result ------------------------------------------------------------------------------- */

struct numbers {
    int32_t *item;
    size_t count, room;
};

static void add_number(struct numbers *n, int32_t x)
{
    if (n->count == n->room) {
        n->room = 2 * n->room + 64;
        n->item = (int32_t *)checked(realloc(n->item, n->room * sizeof *n->item));
    }
    n->item[n->count++] = x;
}

/* Results are compared mod 2^32. False if there is no number, or something behind it. */
static bool take_number(const char **at, int32_t *x)
{
    char *end;
    *x = (int32_t)strtoll(*at, &end, 10);
    if (*end == '.')
        *x = (int32_t)(long long)strtod(*at, &end);
    const bool found = end != *at && strchr(" \t\r,;\n", *end); /* with the 0 at the end */
    *at = end;
    return found;
}

/* The numbers of a line; none, and false, if there is anything else in it. */
static bool add_line(struct numbers *n, const char *line)
{
    static const char between[] = " \t\r,;";
    const size_t before = n->count;
    for (line += strspn(line, between); *line && *line != '\n'; line += strspn(line, between)) {
        int32_t x;
        if (!take_number(&line, &x)) {
            n->count = before;
            return false;
        }
        add_number(n, x);
    }
    return true;
}

/* How many numbers from the at-th one on are matrix `which`: the program has printed what it read.
 * At least the result must be behind it. */
static size_t echoed(const struct numbers *n, size_t at, int which, size_t elements)
{
    const size_t same = (size_t)input[which].rows * (size_t)input[which].columns;
    if (n->count < at + same + elements ||
        memcmp(n->item + at, input[which].elements, same * sizeof *n->item) != 0)
        return 0;
    return same;
}

/* How many numbers from the at-th one on say how large the matrix is. */
static size_t size_numbers(const struct numbers *n, size_t at, size_t elements, int M, int N)
{
    if (n->count <= at + elements)
        return 0;
    if (n->count >= at + elements + 2 && n->item[at] == M && n->item[at + 1] == N)
        return 2;
    return n->count == at + elements + 1 && n->item[at] == M;
}

/* Lines without numbers go to `others`, if there is one. */
static void take_result(const char *text, FILE *others, int M, int N, int32_t *C)
{
    struct numbers n = {NULL, 0, 0};
    const size_t elements = (size_t)M * (size_t)N;
    for (const char *next; *text; text = next) {
        next = text + strcspn(text, "\n");
        next += *next == '\n';
        if (!add_line(&n, text) && others)
            fwrite(text, 1, (size_t)(next - text), others);
    }
    if (n.count < elements)
        fprintf(stderr, "the program has written %zu numbers; the result has %zu elements\n",
                n.count, elements);
    size_t at = echoed(&n, 0, 0, elements);
    at += echoed(&n, at, 1, elements);
    at += size_numbers(&n, at, elements, M, N);
    for (size_t i = 0; i < elements && i + at < n.count; i++)
        C[i] = n.item[i + at];
    free(n.item);
}

static const struct file *result(void)
{
    const struct file *file = written(product);
    for (int i = 0; i < FILES_MOST && !file; i++)
        if (files[i].written)
            file = &files[i];
    if (file)
        fflush(file->f);
    return file;
}

/* --- the program ------------------------------------------------------------------------------ */

/* Run main with other standard streams. */
static void run_program(void)
{
    char name[] = "product", threads[16], size[16];
    const char *launch = getenv("OMP_NUM_THREADS");
    char *argv[] = {name, ARGUMENTS, NULL};
    const cookie_io_functions_t typing = {read_typed, NULL, NULL, NULL};
    FILE *const usual_in = stdin, *const usual_out = stdout;
    snprintf(threads, sizeof threads, "%s", launch ? launch : "1");
    snprintf(size, sizeof size, "%d", input[0].rows);
    stdin = (FILE *)checked(fopencookie(NULL, "r", typing));
    stdout = (FILE *)checked(open_memstream(&terminal.printed, &terminal.printed_length));
    {
#ifdef __cplusplus
        __gnu_cxx::stdio_sync_filebuf<char> in(stdin), out(stdout);
        std::streambuf *const usual_cin = std::cin.rdbuf(&in);
        std::streambuf *const usual_cout = std::cout.rdbuf(&out);
#endif
        const int status = program_run((int)(sizeof argv / sizeof argv[0]) - 1, argv);
        if (status != 0)
            fprintf(stderr, "the program has ended with status %d\n", status);
#ifdef __cplusplus
        std::cout.rdbuf(usual_cout);
        std::cin.rdbuf(usual_cin);
#endif
    }
    __real_fclose(stdout);
    __real_fclose(stdin);
    stdout = usual_out;
    stdin = usual_in;
    checked(terminal.printed);
}

static void run(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    program_reset();
    input[0].rows = M, input[0].columns = K, input[0].elements = A;
    input[1].rows = K, input[1].columns = N, input[1].elements = B;
    run_program();
    const struct file *file = result();
    if (file)
        fputs(terminal.printed, stdout);
    if (C && file)
        take_result(file->text, NULL, M, N, C);
    else if (C)
        take_result(terminal.printed, stdout, M, N, C);
    close_files();
    free(terminal.typed);
    free(terminal.printed);
}

#ifdef PARAGRADE_MPI
/* MPI has begun before the program, and goes on after it. */
#ifdef __cplusplus
extern "C" {
#endif
int __real_MPI_Init(int *argc, char ***argv);
int __real_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int __real_MPI_Finalize(void);
int __wrap_MPI_Init(int *argc, char ***argv);
int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int __wrap_MPI_Finalize(void);
#ifdef __cplusplus
}
#endif

int __wrap_MPI_Init(int *argc, char ***argv)
{
    return program_running ? MPI_SUCCESS : __real_MPI_Init(argc, argv);
}

int __wrap_MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    if (!program_running)
        return __real_MPI_Init_thread(argc, argv, required, provided);
    return MPI_Query_thread(provided);
}

int __wrap_MPI_Finalize(void)
{
    return program_running ? MPI_SUCCESS : __real_MPI_Finalize();
}

/* Every rank may read the files, so every rank gets the matrices. */
void gemm_i32_mpi(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C,
                  MPI_Comm comm)
{
    int32_t *a = (int32_t *)A, *b = (int32_t *)B;
    if (!C) {
        a = (int32_t *)checked(malloc(sizeof *a * (size_t)M * (size_t)K));
        b = (int32_t *)checked(malloc(sizeof *b * (size_t)K * (size_t)N));
    }
    MPI_Bcast(a, M * K, MPI_INT32_T, 0, comm);
    MPI_Bcast(b, K * N, MPI_INT32_T, 0, comm);
    run(M, N, K, a, b, C);
    if (!C) {
        free(a);
        free(b);
    }
}
#else
void gemm_i32(int M, int N, int K, const int32_t *A, const int32_t *B, int32_t *C)
{
    run(M, N, K, A, B, C);
}
#endif
