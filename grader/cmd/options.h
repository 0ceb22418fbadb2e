/*
 * options.h - what a command line says. options.def has one row an option. From the rows follow
 * struct options, the table (option_rows.c), reading (options.c, option_values.c), and what people
 * are told (options_text.c).
 */
#ifndef CMD_OPTIONS_H
#define CMD_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/digest.h"
#include "base/err.h"
#include "cmd/command.h"
#include "model/site.h"

/* The values of an option that may be repeated. */
struct words {
    char **item;
    size_t count;
};

struct seed {
    bool given;
    uint64_t value;
};

/* Where units are to run, as far as the command line says it. */
enum where { WHERE_AS_BEFORE, WHERE_HERE, WHERE_SLURM };

enum export_format {
    EXPORT_NONE,
    EXPORT_CANVAS,
    EXPORT_MOODLE,
    EXPORT_GRADESCOPE,
    EXPORT_JUNIT,
    EXPORT_JSONL
};

/* The kinds of values, and the type of the field that each is kept in. */
#define FLAG(field) bool field;
#define TEXT(field) const char *field;
#define REPORTS(field) const char *field;   /* otherwise: those of the site */
#define FILE_NAME(field) const char *field; /* of a file that exists */
#define WORDS(field) struct words field;
#define LIST(field) struct words field; /* "simd,openmp" */
#define INT(field, least, most, otherwise) long long field;
#define REAL(field, least, most, otherwise) double field;
#define DURATION(field, otherwise) int64_t field;
#define AGE(field) int64_t field;          /* otherwise: -1 */
#define SETTING(setting)                   /* into `site` */
#define FORMAT(format)                     /* into `format` and `file` */
#define OWN(type, field, take) type field; /* read by a function of its own */

/* The values of all options; a command looks at those that it has. Zero, or what the row says: not
 * given. Strings live as long as the command line. */
struct options {
    const struct command *command;
    char *run_name;       /* of a command that is for a run */
    char *const *operand; /* the other operands */
    size_t operands;
    struct site site; /* settings of the site */
    enum export_format format;
    bool formats;     /* several were given */
    const char *file; /* of the format: the gradebook, or where to write */
#define OPTION(name, letter, argument, value, commands, help) value
#define AGAIN(name, letter, argument, value, commands, help)
#include "cmd/options.def"
};

struct option_row;
/* Take the value of one option. 0, or -1 with e. */
typedef int option_take(struct options *o, const struct option_row *row, char *value,
                        struct err *e);

struct option_row {
    const char *name;
    char letter;
    const char *argument; /* NULL: it takes no value */
    const char *help;     /* NULL: people are not told */
    unsigned commands;    /* bits */
    option_take *take;
    size_t field;       /* its offset in struct options */
    double least, most; /* of a number; least: also the setting or the format */
    double otherwise;   /* of a number */
};

/* option_rows.c. The end of the rows has no name. */
extern const struct option_row option_rows[];
/* The first row from `row` on that the command has; NULL: there is none. */
const struct option_row *option_of(const struct command *c, const struct option_row *row);

/* option_values.c */
option_take take_flag, take_text, take_file_name, take_words, take_list, take_int, take_real,
    take_duration, take_setting, take_nodes, take_format, take_seed, take_seed_file,
    take_mutant_seed, take_reports, take_local, take_slurm, take_platform, take_digest, take_age;

/* What the rows of the command say when nothing is given. */
void options_init(struct options *o, const struct command *c);
void options_free(struct options *o);

/* Read the options. If --list-options is the only argument, they are printed, one a line, for
 * completion in a shell; those that take a value end with "=". With --list-options=man, they are
 * printed for the manual page. With --list-values
 * and the words so far, the values that may follow. COMMAND_GO_ON; otherwise the exit status: help
 * was asked for and printed, or an option was bad, and that was printed. */
int options_read(struct options *o, int argc, char **argv);

/* options_text.c: `paragrade help NAME`, for completion, for the manual page. */
void options_print_help(const struct command *c);
void options_print_names(const struct command *c);
void options_print_manual(const struct command *c);
/* option_choices.c: what may come next after these words of a command line, one a line, for
 * completion in a shell: tiers, profiles, sweeps, students, runs. Nothing where a file is wanted.
 */
void options_print_values(const struct command *c, int argc, char *const *argv);

#endif
