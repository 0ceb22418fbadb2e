/* Every row of fields.def: its default, its profile, its sweeps, what a change of it means, and its
 * row in the documentation. A new row needs nothing here. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/fsio.h"
#include "base/strbuf.h"
#include "model/assignment_running.h"
#include "model/field.h"

#include "load_assignment.h"

/* One of them is another value than the default, and a possible one. */
static const char *const values[] = {"7",  "1",  "2",  "0.5", "true", "false",
                                     "7s", "1m", "1h", "9G",  "naive"};
enum { VALUES = sizeof values / sizeof values[0] };

static const char *value_at(const struct field *f, unsigned i)
{
    if (f->kind != VALUE_CHOICE)
        return i < VALUES ? values[i] : NULL;
    return f->words[i];
}

/* --- files with the field, in the assignment or in a tier ------------------------------------- */

#define TIER_X                                                                                     \
    "  - name: x\n    kind: cuda\n    sources: [x.cu]\n    adapter: y.c\n"                         \
    "    compile: nvcc -o {out} {src}\n"
#define SWEEP "sweeps: [{name: s, tier: x, threads: [1, 2]}]\n"

/* "key: value", or "mapping: {key: value}". Without a value: nothing. */
static char *written(const struct field_map *m, const struct field *f, const char *value)
{
    if (!value)
        return xstrdup("");
    return m->key ? xasprintf("%s: {%s: %s}\n", m->key, f->key, value)
                  : xasprintf("%s: %s\n", f->key, value);
}

struct place {
    const char *before, *indent, *after;
};
static const struct place in_assignment = {HEAD, "", TIER},
                          in_tier = {HEAD TIER TIER_X, "    ", SWEEP};

/* NULL: the value is refused. The file stays. */
static struct assignment *with(const struct place *p, const struct field_map *m,
                               const struct field *f, const char *value)
{
    struct assignment *a;
    struct err e = ERR_INIT;
    OWNED char *line = written(m, f, value);
    char *text = xasprintf("%s%s%s%s", p->before, value ? p->indent : "", line, p->after);
    const int rc = load(text, &a, &e);
    free(text);
    if (rc != 0 && !value)
        fail_msg("%s", e.text);
    return a;
}

static const void *structure(const struct assignment *a, const struct place *p,
                             const struct field_map *m)
{
    return (p == &in_tier ? (const char *)&a->tiers[1] : (const char *)a) + m->offset;
}

static bool same(const struct field *f, const void *a, const void *b)
{
    const struct field_map only = {.row = f, .rows = 1};
    return fields_equal(&only, a, b);
}

static json_t *running(void)
{
    OWNED char *path = at("a.yaml");
    json_t *j;
    assert_int_equal(assignment_running_load(path, "", &j, NULL), 0);
    return j;
}

/* Does the comparison of the files see a change? */
static void check_again(const struct place *p, const struct field *f, const json_t *was)
{
    json_auto_t *is = running();
    OWNED char *field = p == &in_tier ? assignment_running_tier_differs(was, is, "x")
                                      : assignment_running_differs(was, is);
    if (!field != (f->again == FIELD_KEEP))
        fail_msg("%s: a change is seen in %s", f->key, field ? field : "no field");
}

static void check_profile(const struct field_map *m, const struct field *f,
                          const struct assignment *usual)
{
    bool changed = false;
    for (unsigned i = 0; !changed && value_at(f, i); i++) {
        struct assignment *a;
        const bool limit = f->also == FIELD_PROFILE_LIMIT;
        OWNED char *text =
            xasprintf(HEAD TIER "profiles: [{name: p, %s%s: %s%s}]\n", limit ? "limits: {" : "",
                      f->key, value_at(f, i), limit ? "}" : "");
        if (load(text, &a, NULL) == 0) {
            take_profile(a, "p");
            changed =
                !same(f, structure(a, &in_assignment, m), structure(usual, &in_assignment, m));
        }
        assignment_free(a);
    }
    if (changed != (f->also == FIELD_PROFILE || f->also == FIELD_PROFILE_LIMIT))
        fail_msg("%s: a profile %s it", f->key, changed ? "changes" : "does not change");
}

static void check_sweep(const struct field_map *m, const struct field *f,
                        const struct assignment *a)
{
    const char *tier = (const char *)&a->tiers[1], *sweep = (const char *)&a->sweeps[0];
    if (same(f, tier + m->offset, sweep + m->offset) != (f->also == FIELD_SWEEP))
        fail_msg("%s of a sweep", f->key);
    if (m != &tier_fields[OF_TIER_SLURM])
        return;
    const struct resources all = tier_resources(a, &a->tiers[1]);
    if (!same(f, &all, tier + m->offset))
        fail_msg("slurm.%s of a tier is not laid over that of the assignment", f->key);
}

/* What the code does not have: texts in profiles, which would need an owner; profiles that change
 * no runs; profiles of tiers; sweeps of assignments. (Both have the fields of Slurm.) */
static void check_columns(const struct place *p, const struct field_map *m, const struct field *f)
{
    const bool profile = f->also == FIELD_PROFILE || f->also == FIELD_PROFILE_LIMIT;
    const bool slurm = m == &assignment_fields[OF_SLURM];
    if (profile && (p == &in_tier || f->kind == VALUE_TEXT || f->again == FIELD_KEEP))
        fail_msg("%s cannot be in a profile", f->key);
    if (f->also == FIELD_SWEEP && p == &in_assignment && !slurm)
        fail_msg("%s is not of a tier, so sweeps cannot have it", f->key);
}

static void check_field(const struct place *p, const struct field_map *m, const struct field *f)
{
    struct assignment *usual = with(p, m, f, NULL), *other = NULL;
    json_auto_t *was = running();
    check_columns(p, m, f);
    if (f->otherwise) {
        struct assignment *a = with(p, m, f, f->otherwise);
        if (!a || !same(f, structure(a, p, m), structure(usual, p, m)))
            fail_msg("%s: %s is not the default", f->key, f->otherwise);
        assignment_free(a);
    }
    for (unsigned i = 0; !other && value_at(f, i); i++) {
        other = with(p, m, f, value_at(f, i));
        if (other && same(f, structure(other, p, m), structure(usual, p, m))) {
            assignment_free(other);
            other = NULL;
        }
    }
    if (!other)
        fail_msg("%s: no value here is another one than the default", f->key);
    check_again(p, f, was);
    if (other && p == &in_tier)
        check_sweep(m, f, other);
    else
        check_profile(m, f, usual);
    assignment_free(other);
    assignment_free(usual);
}

static unsigned check_fields(const struct place *p, const struct field_map *maps, unsigned count)
{
    unsigned n = 0;
    for (const struct field_map *m = maps; m < maps + count; m++)
        for (const struct field *f = m->row; f < m->row + m->rows; f++)
            if (f->kind != VALUE_OF_ITS_OWN) {
                check_field(p, m, f);
                n++;
            }
    return n;
}

TEST(of_the_assignment)
{
    assert_true(check_fields(&in_assignment, assignment_fields, OF_ASSIGNMENT) >= 41);
}

TEST(of_a_tier)
{
    assert_true(check_fields(&in_tier, tier_fields, OF_TIER) >= 19);
}

/* --- pages ------------------------------------------------------------------------------------ */

static const struct {
    const struct field_map *map;
    const char *page;
} pages[] = {
    {&assignment_fields[OF_ROOT], "docs/assignment.md"},
    {&assignment_fields[OF_CORRECTNESS], "docs/assignment.md"},
    {&assignment_fields[OF_PERFORMANCE], "docs/assignment.md"},
    {&assignment_fields[OF_LIMITS], "docs/assignment.md"},
    {&assignment_fields[OF_SUBMIT], "docs/slurm.md"},
    {&assignment_fields[OF_SLURM], "docs/slurm.md"},
    {&tier_fields[OF_TIER_ITSELF], "docs/tiers.md"},
    {&tier_fields[OF_TIER_POINTS], "docs/tiers.md"},
};

static void add_type(struct strbuf *sb, const struct field *f)
{
    static const char *const names[] = {
        [VALUE_COUNT] = "count", [VALUE_SEED] = "0 … 2^64 - 1, `0x` allowed",
        [VALUE_TRUTH] = "truth", [VALUE_TIME] = "time",
        [VALUE_BYTES] = "bytes", [VALUE_TEXT] = "text",
    };
    if (f->kind == VALUE_CHOICE)
        for (unsigned i = 0; f->words[i]; i++)
            strbuf_addf(sb, "%s`%s`", i ? ", " : "", f->words[i]);
    else if (f->kind == VALUE_NUMBER && f->high >= 1e6)
        strbuf_addf(sb, "%g … 10^6", f->low);
    else if (f->kind == VALUE_INTEGER || f->kind == VALUE_NUMBER)
        strbuf_addf(sb, "%.6g … %.6g", f->low, f->high);
    else
        strbuf_adds(sb, names[f->kind]);
}

static char *row_of(const struct field *f)
{
    struct strbuf sb = STRBUF_INIT;
    strbuf_addf(&sb, "| `%s` | ", f->key);
    add_type(&sb, f);
    strbuf_addf(&sb, f->otherwise ? " | `%s` | %s |" : " | %s | %s |",
                f->otherwise ? f->otherwise : f->unset, f->text);
    return strbuf_detach(&sb);
}

/* The row of a table whose first cell has the key; NULL: none. */
static char *find_row(char *page, const char *key)
{
    char *quoted = xasprintf("`%s`", key), *row = page, *found = NULL;
    while (!found && (row = strstr(row, "\n| "))) {
        row += strlen("\n");
        const char *name = strstr(row, quoted), *end = strstr(row + 1, " |");
        if (name && end && name < end)
            found = row;
    }
    free(quoted);
    return found;
}

static bool is_in(char *page, const struct field *f)
{
    OWNED char *row = f->text ? row_of(f) : NULL, *line = xasprintf("\n%s\n", row ? row : "");
    return row ? strstr(page, line) != NULL : find_row(page, f->key) != NULL;
}

/* Replace the row of the field, or add it behind that of the field before it. */
static void write_row(const char *path, char *page, const struct field_map *m,
                      const struct field *f)
{
    char *new = row_of(f), *old = find_row(page, f->key);
    char *at = old ? old : f > m->row ? find_row(page, f[-1].key) : NULL;
    if (!at)
        fail_msg("%s has no place for %s", path, new);
    const char *rest = strchr(at, '\n');
    if (!old)
        at = (char *)rest + 1;
    OWNED char *text =
        xasprintf("%.*s%s%s%s", (int)(at - page), page, new, old ? "" : "\n", old ? rest : at);
    assert_int_equal(fs_write_atomic(path, text, strlen(text), NULL), 0);
    free(new);
}

TEST(in_the_pages)
{
    const bool write = getenv("PARAGRADE_WRITE_FIELDS") != NULL;
    for (size_t i = 0; i < sizeof pages / sizeof pages[0]; i++) {
        const struct field_map *m = pages[i].map;
        for (const struct field *f = m->row; f < m->row + m->rows; f++) {
            struct err e = ERR_INIT;
            OWNED char *page = NULL;
            if (fs_read(pages[i].page, 1 << 20, &page, NULL, &e) != 0)
                fail_msg("%s", e.text);
            if (!is_in(page, f) && write && f->text)
                write_row(pages[i].page, page, m, f);
            else if (!is_in(page, f))
                fail_msg("%s lacks the row of `%s`; to write it: make fields", pages[i].page,
                         f->key);
        }
    }
}

TESTS(test_dir_make, test_dir_remove)
