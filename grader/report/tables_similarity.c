/* similarity.csv: one row per pair of units whose sources resemble each other. */
#include "report/tables.h"
#include "report/text.h"

enum { SHARE_DIGITS = 3 };

void rows_similarity(const struct table_source *s, struct table *t)
{
    for (size_t i = 0; i < s->similar_count; i++) {
        const struct similar_row *x = &s->similar[i];
        table_str(t, SIMILARITY_TIER, text_tier(s->run, (unsigned)x->unit[0]));
        table_str(t, SIMILARITY_SUBMISSION, text_submission(s->run, (unsigned)x->unit[0]));
        table_str(t, SIMILARITY_OTHER, text_submission(s->run, (unsigned)x->unit[1]));
        table_str(t, SIMILARITY_KIND, similarity_kind_name(x->kind));
        table_int(t, SIMILARITY_TOKENS, x->tokens);
        table_num(t, SIMILARITY_SHARE, x->share[0], SHARE_DIGITS);
        table_num(t, SIMILARITY_OTHER_SHARE, x->share[1], SHARE_DIGITS);
        table_str(t, SIMILARITY_PLACES, x->places);
        table_end_row(t);
    }
}
