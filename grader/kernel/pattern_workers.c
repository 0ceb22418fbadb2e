#include "kernel/pattern_workers.h"

static int least(long long a, int b)
{
    return a < b ? (int)a : b;
}

/* The usual ways to divide rows: equal chunks rounded up; each of the first (rows % workers)
 * workers has one row more; rows * w / workers; the last worker has the rest, too. */
enum { WAYS = 4 };

static int owner_first_row(int rows, int workers, int w, int way)
{
    const int chunk = rows / workers, rest = rows % workers;
    switch (way) {
    case 0:
        return least((chunk + (rest > 0 ? 1LL : 0LL)) * w, rows);
    case 1:
        return w * chunk + least(w, rest);
    case 2:
        return (int)((long long)rows * w / workers);
    default:
        return w == workers ? rows : w * chunk;
    }
}

/* Would so many wrong rows anywhere be in the share of one worker more often than once in twenty
 * times? All rows of a share are enough. */
static bool may_be_chance(const struct facts *f, int workers, int share)
{
    double chance = workers;
    for (int i = 0; i < f->bad_rows && f->bad_rows < share; i++)
        chance *= (double)(share - i) / (f->rows - i);
    return f->bad_rows < share && chance > 0.05;
}

int pattern_owning_worker(const struct facts *f, int workers, int *from, int *to)
{
    int owner = -1;
    for (int way = 0; way < WAYS && workers > 1; way++) {
        for (int w = 0; w < workers; w++) {
            int a = owner_first_row(f->rows, workers, w, way);
            int b = owner_first_row(f->rows, workers, w + 1, way);
            if (a >= b || f->first_row < a || f->last_row >= b)
                continue;
            if (owner >= 0 && owner != w)
                return -1;
            if (owner < 0) {
                *from = a;
                *to = b - 1;
            }
            owner = w;
        }
    }
    return owner >= 0 && may_be_chance(f, workers, *to - *from + 1) ? -1 : owner;
}

bool pattern_between_workers(const struct facts *f, int workers)
{
    if (workers < 2 || f->rows < 8 * workers || f->bad_rows > 2 * (workers - 1) ||
        f->wrong * 2 < (uint64_t)f->bad_rows * (uint64_t)f->cols)
        return false;
    for (int way = 0; way < WAYS; way++) {
        int found = 0;
        for (int w = 1; w < workers; w++) {
            const int b = owner_first_row(f->rows, workers, w, way);
            found += (f->per_row[b - 1] > 0) + (f->per_row[b] > 0);
        }
        if (found == f->bad_rows)
            return true;
    }
    return false;
}

void pattern_between_text(struct strbuf *sb, const struct facts *f, const char *who)
{
    int told = 0;
    strbuf_addf(sb, "only %ss beside those of another %s, when %ss are divided evenly (", f->row,
                who, f->row);
    for (int i = f->first_row; i <= f->last_row && told < 4; i++)
        if (f->per_row[i])
            strbuf_addf(sb, "%s%d", told++ ? ", " : "", i);
    strbuf_addf(sb, "%s): what does it get from that %s?", told < f->bad_rows ? ", ..." : "", who);
}

bool pattern_left_over_by_workers(const struct facts *f, int workers)
{
    int rest = workers > 1 && f->rows > workers ? f->rows % workers : 0;
    return rest && f->first_row == f->rows - rest && f->bad_rows == rest;
}
