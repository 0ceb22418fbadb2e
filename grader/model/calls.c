#include "model/calls.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"

/* --- the standard lists ----------------------------------------------------------------------
 *
 * A kernel may call what computing needs, and what is left from debugging. Files, other processes,
 * sockets, loading code and clocks are not allowed: the grader measures time. This list does not
 * stop a hostile kernel: the system call filter does (driver/filter.c).
 */

/* f, ff, fl, and ff16 to ff128x of <math.h> and <complex.h>. */
#define MATH(f) f, f "[fl]", f "f[1-9]*"
/* The same, rounded to a smaller type: fadd, faddl, daddl. There are also f32addf64 and so on. */
#define NARROW(f) "f" f, "[fd]" f "l"

static const char *const compiler[] = {
    "_ITM_*",
    "__gmon_start__",
    "__cxa_*",
    "__stack_chk_*",
    "__tls_get_addr",
    "_GLOBAL_OFFSET_TABLE_",
    "_Unwind_*",
    "__gxx_personality_v0",
    "__gcc_personality_v0",
    "_Jv_RegisterClasses",
    "__memcmpeq",
    "mem[cms]*",              /* copying and clearing of structures */
    "__libc_single_threaded", /* std::shared_ptr */
    /* libgcc's arithmetic, which g++ takes from a library: 128 bits, counting bits, conversions */
    "__*[hsdtx][ifc][2-4]",
    "__float*",
    "__fix*",
};

static const char *const any_tier[] = {
    /* memory */
    "malloc", "calloc", "realloc", "reallocarray", "free", "aligned_alloc", "posix_memalign",
    "memalign", "valloc", "mallopt", "mallinfo*", "malloc_usable_size", "malloc_trim",
    "malloc_stats", "malloc_info", "pvalloc", "mmap", "mmap64", "munmap", "mremap", "mprotect",
    "madvise", "posix_madvise", "mlock", "mlock2", "mlockall", "munlock", "munlockall", "mincore",
    "msync",
    /* bytes and text */
    "mem[cmprs]*", "memfrob", "rawmemchr", "__mempcpy", "str*", "stp*", "__stp*", "__strtok_r",
    "__xpg_strerror_r", "sigabbrev_np", "sigdescr_np", "basename", "__xpg_basename", "dirname",
    "swab", "bcmp", "bcopy", "bzero", "explicit_bzero", "index", "rindex", "ffs*", "__*mem*_chk",
    "__st[pr]*_chk", "__explicit_bzero_chk", "__ctype_*", "is[a-z]*", "to[lu][a-z]*er",
    "to[lu][a-z]*er_l", "__to[lu][a-z]*er_l", "_to[lu][a-z]*er", "toascii", "tow[lu]*er", "wcs*",
    "wmem*", "__wcs*_chk", "__wmem*_chk", "mbs*", "__mbs*_chk", "mbr*", "mblen", "mbtowc", "wctomb",
    "__wctomb_chk", "wcrtomb", "btowc", "wctob", "getsubopt",
    /* numbers */
    "ato[fil]*", "strto*", "__isoc*_strto*", "__isoc*_wcsto*", "__isoc*_sscanf", "sscanf", "a64l",
    "l64a", "[efg]cvt", "[ef]cvt_r", "q[efg]cvt", "q[ef]cvt_r", "labs", "llabs", "div", "ldiv",
    "lldiv", "abs", "imaxabs", "imaxdiv", "qsort", "qsort_r", "bsearch", "lfind", "lsearch",
    "hcreate*", "hsearch*", "hdestroy*", "tsearch", "tfind", "tdelete", "twalk*", "tdestroy",
    "insque", "remque", "rand", "rand_r", "srand", "random", "random_r", "srandom", "srandom_r",
    "initstate*", "setstate", "setstate_r", "[delmnj]rand48*", "srand48*", "seed48*", "lcong48*",
    "arc4random", "arc4random_buf", "arc4random_uniform", "getrandom", "getentropy",
    /* messages */
    "printf", "[fs]printf", "snprintf", "asprintf", "vprintf", "v[fs]printf", "vsnprintf",
    "vasprintf", "__printf_chk", "__*[!d]printf_chk", "err", "errx", "warn", "warnx", "puts",
    "putchar", "putc", "fputs", "fputc", "fwrite", "fflush", "perror", "stdout", "stderr", "setbuf",
    "setbuffer", "setlinebuf", "setvbuf", "puts_unlocked", "putchar_unlocked", "putc_unlocked",
    "fputs_unlocked", "fputc_unlocked", "fwrite_unlocked", "fflush_unlocked", "flockfile",
    "__overflow", "ftrylockfile", "funlockfile", "error", "error_at_line", "verrx", "verr", "vwarn",
    "vwarnx", "psignal", "psiginfo", "ferror", "ferror_unlocked", "clearerr", "clearerr_unlocked",
    /* giving up, jumping */
    "__assert", "__assert_fail", "__assert_perror_fail", "abort", "on_exit", "quick_exit", "exit",
    "_exit", "_Exit", "__errno_location", "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp",
    "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "getcontext", "setcontext", "makecontext",
    "swapcontext",
    /* signals to the process itself */
    "signal", "__sysv_signal", "sysv_signal", "bsd_signal", "ssignal", "raise", "gsignal",
    "sigaction", "sigprocmask", "sigaltstack", "sig*set", "sigismember", "sigpending", "sigsuspend",
    "sigwait", "sigwaitinfo", "sigtimedwait", "sighold", "sigrelse", "sigignore", "sigblock",
    "sigsetmask", "siggetmask", "siginterrupt", "__libc_current_sigrtm[ai][nx]",
    /* the machine */
    "getenv", "secure_getenv", "setenv", "unsetenv", "putenv", "clearenv", "environ", "_environ",
    "__environ", "program_invocation*", "sysconf", "__sysconf", "get_nprocs", "get_nprocs_conf",
    "get_phys_pages", "get_avphys_pages", "getpagesize", "getrlimit*", "uname", "gethostname",
    "getpid", "gettid", "getauxval", "__getauxval", "getcpu", "sched_getcpu", "sched_yield",
    "sched_[gs]etaffinity", "sched_[gs]etparam", "sched_[gs]etscheduler", "sched_get_priority_m*",
    "__sched_cpu*", "__cpu_model", "__cpu_indicator_init", "nanosleep", "clock_nanosleep", "usleep",
    "sleep",
    /* mathematics */
    MATH("acos"), MATH("acosh"), MATH("asin"), MATH("asinh"), MATH("atan"), MATH("atan2"),
    MATH("atanh"), MATH("cbrt"), MATH("ceil"), MATH("copysign"), MATH("cos"), MATH("cosh"),
    MATH("erf"), MATH("erfc"), MATH("exp"), MATH("exp2"), MATH("exp10"), MATH("expm1"),
    MATH("fabs"), MATH("fdim"), MATH("floor"), MATH("fma"), MATH("fmax"), MATH("fmin"),
    MATH("fmod"), MATH("frexp"), MATH("hypot"), MATH("ilogb"), MATH("ldexp"), MATH("lgamma"),
    MATH("llrint"), MATH("llround"), MATH("log"), MATH("log10"), MATH("log1p"), MATH("log2"),
    MATH("logb"), MATH("lrint"), MATH("lround"), MATH("modf"), MATH("nan"), MATH("nearbyint"),
    MATH("nextafter"), MATH("nexttoward"), MATH("pow"), MATH("remainder"), MATH("remquo"),
    MATH("rint"), MATH("round"), MATH("roundeven"), MATH("scalbln"), MATH("scalbn"), MATH("sin"),
    MATH("sincos"), MATH("sinh"), MATH("sqrt"), MATH("tan"), MATH("tanh"), MATH("tgamma"),
    MATH("trunc"), MATH("j[01n]"), MATH("y[01n]"), MATH("cabs"), MATH("carg"), MATH("cexp"),
    MATH("cimag"), MATH("clog"), MATH("conj"), MATH("cpow"), MATH("cproj"), MATH("creal"),
    MATH("csqrt"), MATH("c[cst][aio][ns]"), MATH("c[cst][aio][ns]h"), "cacos*", "casin*", "catan*",
    /* since C99 */
    "fmaximum*", "fminimum*", MATH("fm[ai][nx]mag"), MATH("nextup"), MATH("nextdown"),
    MATH("llogb"), MATH("canonicalize"), MATH("fromfp"), MATH("fromfpx"), MATH("ufromfp"),
    MATH("ufromfpx"), MATH("totalorder"), MATH("totalordermag"), MATH("getpayload"),
    MATH("setpayload"), MATH("setpayloadsig"), MATH("exp2m1"), MATH("exp10m1"), MATH("log2p1"),
    MATH("log10p1"), MATH("logp1"), MATH("rsqrt"), MATH("compoundn"), MATH("pow[nr]"),
    MATH("rootn"), MATH("[acst]*[ns]pi"), MATH("atan2pi"), NARROW("add"), NARROW("sub"),
    NARROW("mul"), NARROW("div"), NARROW("sqrt"), NARROW("fma"), "f[36][24]*f[136]*",
    /* of Unix and GNU */
    MATH("drem"), MATH("finite"), MATH("scalb"), MATH("significand"), MATH("gamma"), MATH("pow10"),
    MATH("clog10"), MATH("__clog10"), "__iseqsig*", "__iscanonical*", "__*_finite", "__isnan*",
    "__isinf*", "__finite*", "__fpclassify*", "__signbit*", "__issignaling*", "lgamma*_r",
    "signgam", "feenableexcept", "fedisableexcept", "feclearexcept", "fe[gs]et*", "fetest*",
    "feholdexcept", "feraiseexcept", "feupdateenv",
    /* C++ */
    "_Z*", "__dynamic_cast", "__once_proxy",
    /* threads, OpenMP, atomic operations */
    "pthread_*", "__pthread_*", "sem_init", "sem_destroy", "sem_wait", "sem_trywait",
    "sem_timedwait", "sem_clockwait", "sem_post", "sem_getvalue", "thrd_*", "mtx_*", "cnd_*",
    "tss_*", "call_once", "omp_*", "GOMP_*", "__kmpc_*", "kmp_*", "__atomic_*", "__sync_*"};

/* Loading code, starting programs, system calls, files and other programs through MPI, and
 * libraries that would compute the product. They are refused even where everything else is allowed.
 */
static const char *const forbidden[] = {
    "dlopen",        "dlmopen",       "dlsym",        "dlvsym",          "__libc_dl*",
    "system",        "popen",         "exec[lv]*",    "fexecve",         "posix_spawn*",
    "fork",          "vfork",         "_Fork",        "clone",           "daemon",
    "syscall",       "ptrace",        "process_vm_*", "MPI_Comm_spawn*", "PMPI_Comm_spawn*",
    "PMIx_*",        "MPI_File_*",    "PMPI_File_*",  "MPI_Comm_accept", "MPI_Comm_connect",
    "MPI_Comm_join", "MPI_Open_port", "cblas_*",      "[sdcz]gemm",      "[sdcz]gemm_",
    "openblas_*",    "mkl_*",         "MKL_*",        "bli_*",           "cublas*",
    "cusparse*"};

/* Functions of the runtime. Other code in the process would call the submission's instead. */
static const char *const reserved[] = {"clock_gettime", "clock_getres", "gettimeofday", "sendmsg",
                                       "recvmsg",       "dlopen",       "dlsym",        "syscall"};

/* How the names of other runtimes begin. A student may choose such a name for a helper in good
 * faith. */
static const char *const taken[] = {"omp_get_*", "omp_set_*", "GOMP_*",   "GOACC_*",
                                    "MPI_*",     "PMPI_*",    "pthread_*"};

/* --- lists ------------------------------------------------------------------------------------ */

#define LENGTH(a) ((unsigned)(sizeof(a) / sizeof(a)[0]))

static void add(struct patterns *p, const char *const *item, unsigned n)
{
    p->item = xrealloc_array(p->item, p->count + n + 1, sizeof *p->item);
    for (unsigned i = 0; i < n; i++)
        p->item[p->count++] = xstrdup(item[i]);
}

static void add_allowed(struct patterns *p, enum launch_kind kind)
{
    const char *const *more = launch_kind_info(kind)->calls;
    unsigned n = 0;
    while (more[n])
        n++;
    add(p, any_tier, LENGTH(any_tier));
    add(p, more, n);
}

void calls_expand(const struct calls *from, enum launch_kind kind, struct calls *to)
{
    *to = (struct calls){0};
    for (unsigned i = 0; i < from->allow.count; i++) {
        const char *item = from->allow.item[i];
        if (strcmp(item, CALLS_STANDARD) == 0)
            add_allowed(&to->allow, kind);
        else
            add(&to->allow, &item, 1);
    }
    for (unsigned i = 0; i < from->forbid.count; i++) {
        const char *item = from->forbid.item[i];
        if (strcmp(item, CALLS_STANDARD) == 0)
            add(&to->forbid, forbidden, LENGTH(forbidden));
        else
            add(&to->forbid, &item, 1);
    }
}

void calls_free(struct calls *c)
{
    texts_free(c->allow.item, c->allow.count);
    texts_free(c->forbid.item, c->forbid.count);
    *c = (struct calls){0};
}

static bool matches(const char *function, const char *const *pattern, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (fnmatch(pattern[i], function, 0) == 0)
            return true;
    return false;
}

bool calls_allowed(const struct calls *c, const char *function)
{
    return matches(function, compiler, LENGTH(compiler)) ||
           matches(function, (const char *const *)c->allow.item, c->allow.count);
}

bool calls_forbidden(const struct calls *c, const char *function)
{
    return matches(function, (const char *const *)c->forbid.item, c->forbid.count);
}

bool calls_reserved(const char *function)
{
    return matches(function, reserved, LENGTH(reserved));
}

bool calls_taken(const char *function)
{
    return matches(function, taken, LENGTH(taken));
}
