/* What people type, and names of any bytes. */
#include <math.h>
#include <string.h>

#include "base/digest.h"
#include "base/identifier.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "base/term.h"
#include "fuzz.h"
#include "kernel/kernel.h"
#include "model/assignment.h"
#include "model/source_name.h"
#include "model/verdict.h"

static void numbers(const char *s)
{
    struct err e = ERR_INIT;
    long long n;
    uint64_t u;
    int64_t ms;
    double d;
    int rc = parse_int(s, -5, 70, &n, &e);
    if (rc != 0)
        fuzz_refused(rc, &e);
    else
        FUZZ_ASSERT(n >= -5 && n <= 70);
    rc = parse_double(s, 0, 1e6, &d, &e);
    if (rc != 0)
        fuzz_refused(rc, &e);
    else
        FUZZ_ASSERT(isfinite(d) && d >= 0 && d <= 1e6);
    rc = parse_duration(s, &ms, &e);
    if (rc != 0)
        fuzz_refused(rc, &e);
    else
        FUZZ_ASSERT(ms >= 0);
    rc = parse_u64(s, &u, &e);
    if (rc != 0)
        fuzz_refused(rc, &e);
    rc = parse_bytes(s, &u, &e);
    if (rc != 0)
        fuzz_refused(rc, &e);
}

static void shapes(const char *s)
{
    struct err e = ERR_INIT;
    struct shape a, b;
    struct launch l;
    enum verdict v;
    char text[SHAPE_TEXT], digest[DIGEST_HEX];
    int rc = kernel_shape(&kernel_gemm_i32, s, NULL, &a, &e);
    if (rc != 0) {
        fuzz_refused(rc, &e);
    } else {
        shape_format(a, text);
        FUZZ_ASSERT(kernel_shape(&kernel_gemm_i32, text, NULL, &b, &e) == 0 && shape_equal(a, b));
    }
    if (launch_parse(s, &l))
        FUZZ_ASSERT(l.ranks > 0 && l.threads > 0);
    if (verdict_parse(s, &v))
        FUZZ_ASSERT(strcmp(verdict_name(v), s) == 0);
    if (digest_parse(s, digest))
        FUZZ_ASSERT(strlen(digest) == DIGEST_HEX - 1);
}

static void names(char *s)
{
    OWNED char *id = identifier_encode(s), *again = identifier_encode(s);
    FUZZ_ASSERT(strcmp(id, again) == 0);
    FUZZ_ASSERT(!*id == !*s && *id != '.' && *id != '-' && strlen(id) <= IDENTIFIER_MAX);
    for (const char *p = id; *p; p++)
        FUZZ_ASSERT(identifier_char(*p) || *p == '%');
    FUZZ_ASSERT(!identifier_ok(s) || strcmp(id, s) == 0);
    FUZZ_ASSERT(!(source_is_cxx(s) && source_is_header(s)));
    size_t n = strlen(s);
    FUZZ_ASSERT(term_width(s) >= 0);
    term_make_printable(s);
    FUZZ_ASSERT(strlen(s) <= n && !strchr(s, '\033'));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    OWNED char *s = fuzz_string(data, size);
    numbers(s);
    shapes(s);
    names(s);
    return 0;
}
