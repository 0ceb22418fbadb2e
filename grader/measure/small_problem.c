#include "measure/small_problem.h"

#include <string.h>

#include "base/strbuf.h"
#include "kernel/element.h"
#include "kernel/outputs.h"

enum { ELEMENTS_MOST = 100, ROW_MOST = 16 };

static bool is_small(const struct kernel *k, struct shape s)
{
    size_t elements = 2 * kernel_output_elements(k, s, kernel_outputs(k));
    for (int i = 0; i < k->inputs; i++) {
        if (operand_cols(&k->in[i], s) > ROW_MOST)
            return false;
        elements += operand_elements(&k->in[i], s);
    }
    for (int i = 0; i < kernel_outputs(k); i++)
        if (operand_cols(kernel_output(k, i), s) > ROW_MOST)
            return false;
    return elements <= ELEMENTS_MOST;
}

static void add(const char *what, const struct operand *o, struct shape s, const void *values,
                struct strbuf *out)
{
    const size_t rows = operand_rows(o, s), cols = operand_cols(o, s), begin = out->len;
    strbuf_addf(out, "%s%s = ", what, o->name);
    const int indent = (int)(out->len - begin) + 1;
    const bool one = o->by_value || (rows == 1 && cols == 1);
    strbuf_adds(out, one ? "" : rows > 1 && cols > 1 ? "[[" : "[");
    for (size_t i = 0; i < rows * cols; i++) {
        char text[ELEMENT_TEXT];
        element_text(o->type, values, i, text);
        const bool new_row = rows > 1 && cols > 1 && i && i % cols == 0;
        if (new_row)
            strbuf_addf(out, "],\n%*s[", indent, "");
        strbuf_addf(out, "%s%s", i && !new_row ? ", " : "", text);
    }
    strbuf_adds(out, one ? "\n" : rows > 1 && cols > 1 ? "]]\n" : "]\n");
}

char *small_problem_text(const struct kernel *k, struct shape s, const void *const in[],
                         const void *expected, const void *got)
{
    if (!is_small(k, s))
        return NULL;
    struct strbuf out = STRBUF_INIT;
    for (int i = 0; i < k->inputs; i++)
        add("", &k->in[i], s, in[i], &out);
    for (int i = 0; i < kernel_outputs(k); i++) {
        const size_t at = kernel_output_at(k, s, i);
        add("expected ", kernel_output(k, i), s, (const char *)expected + at, &out);
        add("got ", kernel_output(k, i), s, (const char *)got + at, &out);
    }
    return strbuf_detach(&out);
}
