#include "pages/leaderboard.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/term.h"
#include "rundir/find_submission.h"

/* The submission that is called like this, or -1. */
static int find_namesake(const struct plan *p, const char *name)
{
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (strcasecmp(p->submissions[i].id, name) == 0 ||
            strcasecmp(p->submissions[i].name, name) == 0)
            return (int)i;
    return -1;
}

static int check_pseudonym(const struct plan *p, const struct leaderboard *l, int submission,
                           const char *name, struct err *e)
{
    if (!json_is_text(name))
        return err_input(e, "field 'pseudonym' is not UTF-8 text");
    if (term_width(name) > PSEUDONYM_MOST)
        return err_input(e, "field 'pseudonym' is longer than %d characters", PSEUDONYM_MOST);
    for (const char *c = name; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            return err_input(e, "field 'pseudonym' has a control character");
    if (strcasecmp(name, "reference") == 0 || strcasecmp(name, "the reference") == 0)
        return err_input(e, "field 'pseudonym': '%s' is what the leaderboard calls the reference",
                         name);
    const int namesake = find_namesake(p, name);
    if (namesake >= 0 && namesake != submission)
        return err_input(e, "field 'pseudonym': '%s' is the name of another submission", name);
    for (unsigned i = 0; i < p->submissions_count; i++)
        if (l->pseudonym[i] && strcasecmp(l->pseudonym[i], name) == 0)
            return err_input(e, "field 'pseudonym': '%s' is the pseudonym of two submissions",
                             name);
    return 0;
}

static int read_row(const struct csv_row *row, const struct plan *p, int id, int pseudonym,
                    struct leaderboard *l, struct err *e)
{
    const char *name = row->field[pseudonym];
    name += strspn(name, " \t");
    size_t len = strlen(name);
    while (len && (name[len - 1] == ' ' || name[len - 1] == '\t'))
        len--;
    const int at = find_submission(p, row->field[id], e);
    if (at < 0)
        return err_context(e, "field 'submission'");
    if (p->submissions[at].is_reference)
        return err_input(e, "field 'submission': '%s' is the reference", row->field[id]);
    if (!len)
        return 0;
    if (l->pseudonym[at])
        return err_input(e, "field 'submission': '%s' is there twice", row->field[id]);
    char *text = xasprintf("%.*s", (int)len, name);
    if (check_pseudonym(p, l, at, text, e) != 0) {
        free(text);
        return -1;
    }
    l->pseudonym[at] = text;
    return 0;
}

int leaderboard_read(const char *path, const struct plan *p, struct leaderboard *out, struct err *e)
{
    struct csv_table t;
    *out = (struct leaderboard){xcalloc(p->submissions_count + 1, sizeof *out->pseudonym),
                                p->submissions_count};
    if (csv_read(path, &t, e) != 0) {
        leaderboard_free(out);
        return -1;
    }
    const int id = csv_column(&t, "submission"), pseudonym = csv_column(&t, "pseudonym");
    int rc = 0;
    if (id < 0 || pseudonym < 0)
        rc = err_input(e, "%s:1: the column '%s' is missing", path,
                       id < 0 ? "submission" : "pseudonym");
    for (size_t i = 1; i < t.count && rc == 0; i++) {
        rc = read_row(&t.row[i], p, id, pseudonym, out, e);
        if (rc != 0)
            err_context(e, "%s:%zu", path, t.row[i].line);
    }
    csv_table_free(&t);
    if (rc != 0)
        leaderboard_free(out);
    return rc;
}

void leaderboard_free(struct leaderboard *l)
{
    for (unsigned i = 0; l->pseudonym && i < l->count; i++)
        free(l->pseudonym[i]);
    free(l->pseudonym);
    *l = (struct leaderboard){NULL, 0};
}
