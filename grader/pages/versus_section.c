#include "pages/versus_section.h"

#include "base/term.h"
#include "report/versus.h"

void show_versus(const struct source *s, int submission, struct html_page *page)
{
    if (!s->run->assignment->versus_count)
        return;
    html_section(page, "compared", "Tiers compared");
    html_table_or(
        page, NULL, versus_table(s->run, s->results, submission, NULL),
        "Nothing can be compared yet: both tiers have to pass and to be timed at the same "
        "size.");
    html_section_end(page);
}
