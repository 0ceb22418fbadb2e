/* The rows of options.def as a table. */
#include <stdlib.h>

#include "cmd/options.h"
#include "import/class_import.h"

/* Commands that share many options: they make a run; they run its units. */
enum { on_new_run = on_grade | on_sweep, on_executing = on_new_run | on_resume | on_regrade };

#define FLAG(field) take_flag, offsetof(struct options, field), 0, 0, 0
#define TEXT(field) take_text, offsetof(struct options, field), 0, 0, 0
#define REPORTS(field) take_reports, offsetof(struct options, field), 0, 0, 0
#define FILE_NAME(field) take_file_name, offsetof(struct options, field), 0, 0, 0
#define WORDS(field) take_words, offsetof(struct options, field), 0, 0, 0
#define LIST(field) take_list, offsetof(struct options, field), 0, 0, 0
#define INT(field, least, most, otherwise)                                                         \
    take_int, offsetof(struct options, field), least, most, otherwise
#define REAL(field, least, most, otherwise)                                                        \
    take_real, offsetof(struct options, field), least, most, otherwise
#define DURATION(field, otherwise) take_duration, offsetof(struct options, field), 0, 0, otherwise
#define AGE(field) take_age, offsetof(struct options, field), 0, 0, -1
#define SETTING(setting) take_setting, 0, setting, 0, 0
#define FORMAT(format) take_format, 0, format, 0, 0
#define OWN(type, field, take) take, 0, 0, 0, 0

const struct option_row option_rows[] = {
#define OPTION(name, letter, argument, value, commands, help)                                      \
    {name, letter, argument, help, commands, value},
#define AGAIN OPTION
#include "cmd/options.def"
    {.name = NULL},
};

const struct option_row *option_of(const struct command *c, const struct option_row *row)
{
    while (row->name && !(row->commands & c->bit))
        row++;
    return row->name ? row : NULL;
}

void options_init(struct options *o, const struct command *c)
{
    *o = (struct options){.command = c, .platform = SCHEME_COUNT};
    for (const struct option_row *row = option_rows; (row = option_of(c, row)); row++) {
        void *const field = (char *)o + row->field;
        if (row->take == take_int)
            *(long long *)field = (long long)row->otherwise;
        else if (row->take == take_real)
            *(double *)field = row->otherwise;
        else if (row->take == take_duration || row->take == take_age)
            *(int64_t *)field = (int64_t)row->otherwise;
    }
}

void options_free(struct options *o)
{
    for (const struct option_row *row = option_rows; row->name; row++) {
        struct words *w = (struct words *)((char *)o + row->field);
        if (row->take != take_words && row->take != take_list)
            continue;
        free(w->item);
        *w = (struct words){0};
    }
    site_free(&o->site);
    free(o->run_name);
}
