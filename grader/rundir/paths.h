/*
 * paths.h - where everything lies in a run directory. The one owner of these paths.
 *
 *   plan.json                     seed, submissions, units
 *   assignment.yaml               the copy that counts
 *   sources/<submission>/<file>   snapshot of what was handed in
 *   nodes/<host>.<yardstick>.json node records
 *   units/<unit>/result.json      published once
 *   units/<unit>/attempt-*.json   who started when and where
 *   units/<unit>/infra-*.json     attempts that failed through nobody's fault
 *   session.json                  how and with which programs the last grade or resume ran it
 *   slurm/                        arrays: what was submitted, under which job
 *   units.csv cases.csv ...       reports
 *   receipts.json                 what the reports were made from; `paragrade verify` compares
 *   lock                          held by the front end that executes the run
 *
 * Every function returns a heap string that the caller frees.
 */
#ifndef RUNDIR_PATHS_H
#define RUNDIR_PATHS_H

char *rundir_plan(const char *run);
char *rundir_assignment(const char *run);
char *rundir_resume_options(const char *run);
char *rundir_sources(const char *run, const char *submission_id);
char *rundir_node(const char *run, const char *host, const char *yardstick);
char *rundir_nodes(const char *run);
char *rundir_unit(const char *run, const char *unit_id);
char *rundir_result(const char *run, const char *unit_id);
char *rundir_slurm(const char *run);
char *rundir_lock(const char *run);
char *rundir_receipts(const char *run);
char *rundir_report(const char *run, const char *file);

#endif
