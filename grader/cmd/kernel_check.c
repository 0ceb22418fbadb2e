#include "cmd/kernel_check.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/install.h"
#include "base/json.h"
#include "base/plural.h"
#include "base/proc.h"
#include "base/term.h"
#include "cmd/site_files.h"
#include "execute/proctor_program.h"
#include "rundir/proctor_status.h"

/* A longer text stands below its row, so that a line has 80 columns at most. */
enum { OUTPUT_MOST = 1 << 20, BESIDE_MOST = 62 };

/* What the proctor prints: state, check, text. They point into its line. */
struct finding {
    char *state, *check, *text;
};

/* The next line of *at, which is changed. False at the end. */
static bool next_finding(char **at, struct finding *f)
{
    char *line = strsep(at, "\n");
    if (!line || !*line)
        return false;
    f->state = strsep(&line, "\t");
    f->check = line ? strsep(&line, "\t") : NULL;
    f->text = line;
    return line != NULL;
}

/* The reason is in its last line. */
static int failed(const struct proc_result *p, struct err *e)
{
    static const char prefix[] = "paragrade proctor: ";
    const char *said = strstr(p->err.s, prefix);
    char how[100];
    proc_describe(p, how, sizeof how);
    said = said ? said + sizeof prefix - 1 : how;
    const int line = (int)strcspn(said, "\n");
    return WIFEXITED(p->status) && WEXITSTATUS(p->status) == PROCTOR_BAD_USAGE
               ? err_input(e, "%.*s", line, said)
               : err_system(e, "the exercise could not be checked: %.*s", line, said);
}

static int ask_proctor(const char *assignment, struct proc_result *p, struct err *e)
{
    OWNED char *proctor = install_path("libexec/paragrade/proctor");
    const char *const words[] = {proctor, "--exercise", assignment, NULL};
    FREED_BY(site_free) struct site site = {0};
    OWNED_TEXTS char **before = site_files_read(&site, e) == 0 ? execute_prefix(&site, e) : NULL;
    OWNED_TEXTS char **command = before ? execute_command(before, words) : NULL;
    const struct proc_spec spec = {.argv = command, .output_max = OUTPUT_MOST};
    int rc = command ? proc_run(&spec, p, e) : -1;
    if (rc == 0 && !proc_ok(p))
        rc = failed(p, e);
    return rc;
}

struct counts {
    unsigned findings, notes, wrong;
};

static void count(struct counts *n, const struct finding *f)
{
    n->findings++;
    n->notes += strcmp(f->state, "note") == 0;
    n->wrong += strcmp(f->state, "wrong") == 0;
}

static enum term_style style_of(const char *state)
{
    return strcmp(state, "ok") == 0     ? TERM_GREEN
           : strcmp(state, "note") == 0 ? TERM_YELLOW
                                        : TERM_RED;
}

static void print_table(char *at, struct counts *n)
{
    static const struct term_column columns[] = {
        {"check", TERM_LEFT}, {"state", TERM_LEFT}, {"found", TERM_LEFT}, {"more", TERM_NOTE}};
    struct term_table *t = term_table_new(NULL);
    struct finding f;
    term_table_columns(t, columns, 4);
    while (next_finding(&at, &f)) {
        count(n, &f);
        term_table_cell(t, TERM_BOLD, "%s", f.check);
        term_table_cell(t, style_of(f.state), "%s", f.state);
        const bool below = !term_is_tsv() && strlen(f.text) > BESIDE_MOST;
        term_table_cell(t, TERM_PLAIN, "%s", below ? "" : f.text);
        term_table_cell(t, TERM_PLAIN, "%s", below ? f.text : "");
        term_table_end_row(t);
    }
    term_table_print(t, stdout);
    if (term_is_tsv())
        return;
    if (n->wrong)
        printf("\n%u of %u findings %s that the exercise is wrong.\n", n->wrong, n->findings,
               plural(n->wrong, "says", "say"));
    else if (n->notes)
        printf("\nNothing is wrong; %u %s.\n", n->notes, plural(n->notes, "note", "notes"));
    else
        puts("\nNothing is wrong.");
}

static int print_json(char *at, struct counts *n, struct err *e)
{
    json_t *list = json_array();
    struct finding f;
    while (next_finding(&at, &f)) {
        count(n, &f);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "check", f.check, "state", f.state,
                                              "found", f.text));
    }
    return json_print(stdout, list, e);
}

int kernel_check(const char *assignment, bool json, bool *right, struct err *e)
{
    FREED_BY(proc_result_free) struct proc_result p = {.out = STRBUF_INIT, .err = STRBUF_INIT};
    struct counts n = {0};
    int rc = ask_proctor(assignment, &p, e);
    if (rc == 0 && json)
        rc = print_json(p.out.s, &n, e);
    else if (rc == 0)
        print_table(p.out.s, &n);
    *right = n.findings && !n.wrong;
    return rc;
}
