#include "history/add.h"

#include "base/strbuf.h"
#include "history/node_times.h"

/* The number of a row with these texts, which is added if it is not there. -1 with e. */
static int64_t number_of(struct store *s, sqlite3_stmt *insert, sqlite3_stmt *find, struct err *e)
{
    int64_t id = -1;
    int rc = insert ? store_step(s, insert, e) : -1;
    if (rc == 0)
        rc = find ? store_step(s, find, e) : -1;
    if (rc == 1)
        id = sqlite3_column_int64(find, 0);
    sqlite3_finalize(insert);
    sqlite3_finalize(find);
    return id;
}

static int64_t run_number(struct store *s, const struct run *r, struct err *e)
{
    const struct plan *p = r->plan;
    return number_of(
        s,
        store_prepare(s, e, "INSERT OR IGNORE INTO run (name, created, assignment) VALUES (?,?,?)",
                      "sss", p->run_id, p->created, r->assignment->name),
        store_prepare(s, e, "SELECT id FROM run WHERE name = ? AND created = ?", "ss", p->run_id,
                      p->created),
        e);
}

static int64_t time_number(struct store *s, const struct run *r, const struct node_time *p,
                           struct err *e)
{
    return number_of(
        s,
        store_prepare(
            s, e,
            "INSERT OR IGNORE INTO time (node, assignment, tier, launch, size) VALUES (?,?,?,?,?)",
            "sssss", p->node, r->assignment->name, p->tier, p->launch, p->size),
        store_prepare(s, e,
                      "SELECT id FROM time WHERE node = ? AND assignment = ? AND tier = ? AND "
                      "launch = ? AND size = ?",
                      "sssss", p->node, r->assignment->name, p->tier, p->launch, p->size),
        e);
}

static int64_t facts_number(struct store *s, const struct node_time *p, struct err *e)
{
    static const struct node_record none;
    const struct node_record *n = p->record ? p->record : &none;
    return number_of(
        s,
        store_prepare(s, e,
                      "INSERT OR IGNORE INTO facts (processor, microcode, kernel, driver, compiler,"
                      " source) VALUES (?,?,?,?,?,?)",
                      "ssssss", n->model, n->microcode, n->kernel, n->driver, p->compiler,
                      p->source),
        store_prepare(s, e,
                      "SELECT id FROM facts WHERE processor = ? AND microcode = ? AND kernel = ? "
                      "AND driver = ? AND compiler = ? AND source = ?",
                      "ssssss", n->model, n->microcode, n->kernel, n->driver, p->compiler,
                      p->source),
        e);
}

static int add_time(struct store *s, const struct run *r, int64_t run, const struct node_time *p,
                    struct err *e)
{
    const int64_t time = time_number(s, r, p, e), facts = time < 0 ? -1 : facts_number(s, p, e);
    if (facts < 0)
        return -1;
    return store_run(s, e,
                     "INSERT INTO measured (time, run, at, seconds, facts) VALUES (?,?,?,?,?)",
                     "iisdi", time, run, p->at, p->seconds, facts);
}

int history_add(struct store *s, const struct run *r, const struct results *res, size_t *added,
                struct err *e)
{
    OWNED struct node_time *p = NULL;
    const size_t n = node_times_of(r, res, &p);
    int rc = store_begin(s, e);
    const int64_t run = rc == 0 ? run_number(s, r, e) : -1;
    if (run < 0)
        rc = -1;
    if (rc == 0)
        rc = store_run(s, e, "DELETE FROM measured WHERE run = ?", "i", run);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = add_time(s, r, run, &p[i], e);
    if (rc == 0)
        rc = store_commit(s, e);
    if (rc != 0)
        store_rollback(s);
    if (added)
        *added = n;
    return rc;
}

int history_has(struct store *s, const struct run *r, struct err *e)
{
    sqlite3_stmt *q = store_prepare(s, e, "SELECT 1 FROM run WHERE name = ? AND created = ?", "ss",
                                    r->plan->run_id, r->plan->created);
    const int rc = q ? store_step(s, q, e) : -1;
    sqlite3_finalize(q);
    return rc;
}

int history_add_to(const char *path, const struct run *r, const struct results *res, struct err *e)
{
    struct store s;
    if (!path || r->plan->self_test)
        return 0;
    int rc = store_open(&s, path, true, e);
    if (rc == 0) {
        rc = history_add(&s, r, res, NULL, e);
        store_close(&s);
    }
    return rc;
}
