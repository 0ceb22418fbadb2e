#include "execute/unit_grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/term.h"

enum { NAME_MOST = 20, WORD_LEAST = 12, GAP = 2, BLOCK_GAP = 3 };

/* --- the table of units --------------------------------------------------------------------- */

void unit_grid_init(struct unit_grid *g, const struct run *r, const int *units, unsigned count)
{
    *g = (struct unit_grid){.plan = r->plan, .assignment = r->assignment};
    g->unit = xcalloc(r->plan->units_count + 1, sizeof *g->unit);
    for (unsigned i = 0; i < r->plan->units_count; i++) {
        const struct unit *u = &r->plan->units[i];
        g->unit[i] = (struct unit_now){u->preset ? UNIT_DONE : UNIT_EARLIER, u->verdict};
    }
    for (unsigned i = 0; i < count; i++)
        g->unit[units[i]] = (struct unit_now){.stage = UNIT_TO_DO};
}

void unit_grid_free(struct unit_grid *g)
{
    free(g->unit);
    *g = (struct unit_grid){0};
}

/* Submissions x tiers. Submissions without a unit have no row, tiers without one no column. */
struct table {
    const struct unit_grid *grid;
    FILE *f;
    unsigned rows, columns;
    unsigned *submission; /* of each row */
    unsigned *tier;       /* of each column */
    int *at;              /* unit, or -1: the submission has none in this tier */
    int name_width;
};

static void table_make(const struct unit_grid *g, FILE *f, struct table *t)
{
    const struct plan *p = g->plan;
    const unsigned tiers = g->assignment->tiers_count;
    OWNED int *column = xcalloc(tiers + 1, sizeof *column);
    OWNED int *row = xcalloc(p->submissions_count + 1, sizeof *row);
    *t = (struct table){.grid = g, .f = f};
    t->submission = xcalloc(p->submissions_count + 1, sizeof *t->submission);
    t->tier = xcalloc(tiers + 1, sizeof *t->tier);
    for (unsigned i = 0; i < p->units_count; i++)
        column[p->units[i].tier] = row[p->units[i].submission] = 1;
    for (unsigned i = 0; i < p->submissions_count; i++) {
        if (!row[i])
            continue;
        row[i] = (int)t->rows;
        t->submission[t->rows++] = i;
    }
    for (unsigned i = 0; i < tiers; i++) {
        if (!column[i])
            continue;
        column[i] = (int)t->columns;
        t->tier[t->columns++] = i;
    }
    t->at = xcalloc((size_t)t->rows * t->columns + 1, sizeof *t->at);
    for (size_t i = 0; i < (size_t)t->rows * t->columns; i++)
        t->at[i] = -1;
    for (unsigned i = 0; i < p->units_count; i++)
        t->at[(size_t)row[p->units[i].submission] * t->columns + (size_t)column[p->units[i].tier]] =
            (int)i;
    for (unsigned i = 0; i < t->rows; i++) {
        const int width = term_width(p->submissions[t->submission[i]].name);
        t->name_width = width > t->name_width ? width : t->name_width;
    }
    t->name_width = t->name_width > NAME_MOST ? NAME_MOST : t->name_width;
}

static void table_free(struct table *t)
{
    free(t->submission);
    free(t->tier);
    free(t->at);
}

static const char *tier_name(const struct table *t, unsigned column)
{
    return t->grid->assignment->tiers[t->tier[column]].name;
}

/* Add text of one style, cut off at a width and padded to it. */
static void add_cell(const struct table *t, struct strbuf *out, const char *text, int width,
                     enum term_style style)
{
    int used = 0;
    size_t n = 0;
    for (; text[n] && used < width; used++)
        do
            n++;
        while (((unsigned char)text[n] & 0xc0) == 0x80);
    strbuf_addf(out, "%s%.*s%s%*s", term_on(t->f, style), (int)n, text,
                style == TERM_PLAIN ? "" : term_off(t->f), width - used, "");
}

static void end_line(struct strbuf *out)
{
    while (out->len && out->s[out->len - 1] == ' ')
        out->s[--out->len] = '\0';
    strbuf_adds(out, "\n");
}

static void add_name(const struct table *t, unsigned row, struct strbuf *out)
{
    OWNED char *name = xstrdup(t->grid->plan->submissions[t->submission[row]].name);
    term_make_printable(name);
    for (char *p = name; *p; p++)
        if (*p == '\n' || *p == '\t')
            *p = ' ';
    OWNED char *text = term_cut(name, t->name_width);
    add_cell(t, out, text, t->name_width, TERM_PLAIN);
}

static const struct unit_now *now_at(const struct table *t, unsigned row, unsigned column)
{
    const int unit = t->at[(size_t)row * t->columns + column];
    return unit < 0 ? NULL : &t->grid->unit[unit];
}

/* --- with words ----------------------------------------------------------------------------- */

/* The same while the run goes on, so that columns keep their places. */
static int column_width(const struct table *t, unsigned column)
{
    const int width = term_width(tier_name(t, column));
    return width < WORD_LEAST ? WORD_LEAST : width;
}

static bool words_fit(const struct table *t, int columns, int lines)
{
    int width = t->name_width;
    for (unsigned c = 0; c < t->columns; c++)
        width += GAP + column_width(t, c);
    return width <= columns && (int)t->rows + 1 <= lines;
}

/* A verdict that is too long for the column has a brief name. */
static const char *word_of(const struct unit_now *now, int width)
{
    if (!now)
        return "";
    const char *word = unit_now_name(*now);
    return term_width(word) > width && now->stage == UNIT_DONE ? verdict_brief(now->verdict) : word;
}

static void draw_words(const struct table *t, struct strbuf *out)
{
    strbuf_addf(out, "%*s", t->name_width, "");
    for (unsigned c = 0; c < t->columns; c++) {
        strbuf_addf(out, "%*s", GAP, "");
        add_cell(t, out, tier_name(t, c), column_width(t, c), TERM_DIM);
    }
    end_line(out);
    for (unsigned r = 0; r < t->rows; r++) {
        add_name(t, r, out);
        for (unsigned c = 0; c < t->columns; c++) {
            const struct unit_now *now = now_at(t, r, c);
            strbuf_addf(out, "%*s", GAP, "");
            add_cell(t, out, word_of(now, column_width(t, c)), column_width(t, c),
                     now ? unit_now_style(*now) : TERM_PLAIN);
        }
        end_line(out);
    }
}

/* --- with one character for each unit ------------------------------------------------------- */

/* How many submissions stand side by side; 0: not even one. */
static int blocks(const struct table *t, int columns)
{
    return (columns + BLOCK_GAP) / (t->name_width + 1 + (int)t->columns + BLOCK_GAP);
}

/* Add a word to lines that are broken at a width. */
static void add_word(struct strbuf *out, size_t *line, int columns, const char *word)
{
    const size_t length = strlen(word);
    if (*line && *line + 1 + length > (size_t)columns) {
        strbuf_adds(out, "\n");
        *line = 0;
    }
    strbuf_addf(out, "%s%s", *line ? " " : "", word);
    *line += (*line ? 1 : 0) + length;
}

/* What the characters are: the tiers, in their order, and the characters that are in use. */
static void add_legend(const struct table *t, int columns, struct strbuf *out)
{
    static const struct {
        char letter;
        const char *meaning;
    } verdicts[] = {{'+', "pass"}, {'x', "fails"}, {'-', "missing"}, {'s', "skipped"}};
    bool used[256] = {false};
    size_t line = 0;
    for (unsigned i = 0; i < t->grid->plan->units_count; i++)
        used[(unsigned char)unit_now_letter(t->grid->unit[i])] = true;
    for (unsigned c = 0; c < t->columns; c++)
        add_word(out, &line, columns, tier_name(t, c));
    add_word(out, &line, columns, " ");
    for (size_t i = 0; i < sizeof verdicts / sizeof verdicts[0] + UNIT_DONE; i++) {
        const bool ended = i >= UNIT_DONE;
        const struct unit_now now = {.stage = ended ? UNIT_DONE : (enum unit_stage)i};
        const char letter = ended ? verdicts[i - UNIT_DONE].letter : unit_now_letter(now);
        OWNED char *text = xasprintf("%c %s", letter,
                                     ended ? verdicts[i - UNIT_DONE].meaning : unit_now_name(now));
        if (used[(unsigned char)letter])
            add_word(out, &line, columns, text);
    }
    strbuf_adds(out, "\n");
}

static void draw_letters(const struct table *t, int columns, struct strbuf *out)
{
    const unsigned across = (unsigned)blocks(t, columns);
    const unsigned down = (t->rows + across - 1) / across;
    for (unsigned line = 0; line < down; line++) {
        for (unsigned b = 0; b < across && b * down + line < t->rows; b++) {
            const unsigned row = b * down + line;
            strbuf_addf(out, "%*s", b ? BLOCK_GAP : 0, "");
            add_name(t, row, out);
            strbuf_adds(out, " ");
            for (unsigned c = 0; c < t->columns; c++) {
                const struct unit_now *now = now_at(t, row, c);
                const char letter[2] = {now ? unit_now_letter(*now) : ' ', '\0'};
                add_cell(t, out, letter, 1, now ? unit_now_style(*now) : TERM_PLAIN);
            }
        }
        end_line(out);
    }
    add_legend(t, columns, out);
}

/* --- with numbers --------------------------------------------------------------------------- */

/* "naive     40 of 200   30 pass, 10 fail; 1 building" */
static void draw_counts(const struct table *t, int columns, struct strbuf *out)
{
    int width = 0;
    for (unsigned c = 0; c < t->columns; c++) {
        const int w = term_width(tier_name(t, c));
        width = w > width ? w : width;
    }
    for (unsigned c = 0; c < t->columns; c++) {
        unsigned stage[UNIT_STAGES] = {0}, pass = 0, fail = 0, missing = 0, all = 0, ended;
        for (unsigned r = 0; r < t->rows; r++) {
            const struct unit_now *now = now_at(t, r, c);
            if (!now)
                continue;
            all++;
            stage[now->stage]++;
            if (now->stage == UNIT_DONE) {
                pass += now->verdict == VERDICT_PASS;
                missing += now->verdict == VERDICT_MISSING;
                fail += unit_now_letter(*now) == 'x';
            }
        }
        ended = stage[UNIT_DONE] + stage[UNIT_EARLIER];
        OWNED char *line = xasprintf("%*s %4u of %u done", -width, tier_name(t, c), ended, all);
        FREED_BY(strbuf_free) struct strbuf text = STRBUF_INIT;
        strbuf_adds(&text, line);
        if (pass || fail)
            strbuf_addf(&text, ": %u pass, %u fail", pass, fail);
        if (missing)
            strbuf_addf(&text, "%s %u missing", pass || fail ? "," : ":", missing);
        for (int i = UNIT_QUEUED; i < UNIT_EARLIER; i++)
            if (stage[i])
                strbuf_addf(&text, ", %u %s", stage[i], unit_stage_name((enum unit_stage)i));
        add_cell(t, out, text.s, columns, TERM_PLAIN);
        end_line(out);
    }
}

/* Below this width, no picture is readable. */
enum { COLUMNS_LEAST = 24 };

void unit_grid_draw(const struct unit_grid *g, FILE *f, int columns, int lines, struct strbuf *out)
{
    FREED_BY(table_free) struct table t = {0};
    FREED_BY(strbuf_free) struct strbuf letters = STRBUF_INIT;
    int needed = 0;
    if (columns < COLUMNS_LEAST)
        return;
    table_make(g, f, &t);
    if (words_fit(&t, columns, lines)) {
        draw_words(&t, out);
    } else {
        if (blocks(&t, columns) > 0 &&
            (int)t.rows / blocks(&t, columns) <= lines) { /* else it is not even tried */
            draw_letters(&t, columns, &letters);
            for (const char *p = letters.s; (p = strchr(p, '\n')); p++)
                needed++;
        }
        if (needed && needed <= lines)
            strbuf_add(out, letters.s, letters.len);
        else if ((int)t.columns <= lines)
            draw_counts(&t, columns, out);
    }
}
