#include "report/interval_json.h"

json_t *interval_json(struct interval i)
{
    return json_pack("{s:o, s:o, s:o, s:I, s:b}", "value", json_number_or_null(i.value), "ci_low",
                     json_number_or_null(i.low), "ci_high", json_number_or_null(i.high), "samples",
                     (json_int_t)i.n, "confirmed", i.n && !i.unconfirmed);
}
