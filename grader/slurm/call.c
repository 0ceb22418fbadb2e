#include "slurm/call.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/proc.h"
#include "execute/stop.h"

enum { OUTPUT_MAX = 64 << 20, TIMEOUT_MS = 30000 };

/* Variables that Slurm's commands must not see. Inside a job, SLURM_* describe that job and would
 * change what sbatch asks for; SQUEUE_*, SACCT_* and SINFO_* filter and format listings; some of
 * SBATCH_* make sbatch do something else. Those that name the cluster stay, and so do a site's
 * SBATCH_ACCOUNT and the like. */
static bool unwanted(const char *var)
{
    static const char *const keep[] = {
        "SLURM_CONF=", "SLURM_CONF_SERVER=", "SLURM_CLUSTERS=", "SLURM_JWT="};
    static const char *const drop[] = {"SLURM_",           "SLURMD_",        "SQUEUE_",
                                       "SACCT_",           "SINFO_",         "SCANCEL_",
                                       "SCONTROL_",        "SBATCH_WAIT",    "SBATCH_ARRAY_INX",
                                       "SBATCH_TEST_ONLY", "SBATCH_REQUEUE", "SBATCH_NO_REQUEUE"};
    for (size_t i = 0; i < sizeof keep / sizeof keep[0]; i++)
        if (strncmp(var, keep[i], strlen(keep[i])) == 0)
            return false;
    for (size_t i = 0; i < sizeof drop / sizeof drop[0]; i++)
        if (strncmp(var, drop[i], strlen(drop[i])) == 0)
            return true;
    return false;
}

static char **clean_environment(void)
{
    size_t n = 0, k = 0;
    while (environ[n])
        n++;
    char **env = xcalloc(n + 2, sizeof *env);
    env[k++] = (char *)"SLURM_BITSTR_LEN=0"; /* lists of array elements in full */
    for (size_t i = 0; i < n; i++)
        if (!unwanted(environ[i]))
            env[k++] = environ[i];
    return env;
}

bool slurm_says_silent(const char *text)
{
    static const char *const words[] = {
        "Unable to contact slurm controller",
        "Unable to contact slurm",
        "Socket timed out",
        "Connection refused",
        "Connection reset",
        "Connection timed out",
        "No route to host",
        "Zero Bytes were transmitted",
        "Transport endpoint is not connected",
        "Communication connection failure",
        "Communication shutdown failure",
        "Unexpected message received",
        "Message receive failure",
        "Message send failure",
        "Insane message length",
        "missing socket error",
        "Slurm backup controller in standby mode",
        "in standby mode",
        "Protocol authentication error",
        "authentication credential",
        "munge",
        "Temporary failure in name resolution",
        "failed to open persistent connection",
        "Problem talking to the database",
        "Unable to connect to database",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcasestr(text, words[i]))
            return true;
    return false;
}

/* All lines of a text on one line, without the command's own prefix. */
static void one_line(const char *text, char *out, size_t cap)
{
    size_t n = 0;
    while (*text && n + 1 < cap) {
        const char *nl = strchr(text, '\n');
        size_t len = nl ? (size_t)(nl - text) : strlen(text);
        const char *p = text;
        const char *colon = len > 8 ? memmem(text, len < 40 ? len : 40, ": error: ", 9) : NULL;
        if (colon)
            p = colon + 9;
        size_t rest = len - (size_t)(p - text);
        if (rest && n + 3 < cap) {
            if (n) {
                out[n++] = ';';
                out[n++] = ' ';
            }
            size_t room = cap - 1 - n;
            if (rest > room)
                rest = room;
            memcpy(out + n, p, rest);
            n += rest;
        }
        text += len + (nl != NULL);
    }
    out[n] = '\0';
}

static enum slurm_answer call(char *const argv[], const volatile sig_atomic_t *stop,
                              struct strbuf *out, char why[SLURM_WHY])
{
    OWNED char **env = clean_environment();
    const struct proc_spec spec = {
        .argv = argv, .env = env, .output_max = OUTPUT_MAX, .timeout_ms = TIMEOUT_MS, .stop = stop};
    FREED_BY(proc_result_free) struct proc_result r = {0};
    struct err e = ERR_INIT;
    enum slurm_answer a = SLURM_REFUSED;
    strbuf_clear(out);
    if (proc_run(&spec, &r, &e) != 0) {
        snprintf(why, SLURM_WHY, "%.500s", e.text);
    } else {
        one_line(r.err.s, why, SLURM_WHY);
        strbuf_add(out, r.out.s, r.out.len);
        if (proc_ok(&r)) {
            a = SLURM_ANSWERED;
        } else if (r.timed_out || WIFSIGNALED(r.status) || slurm_says_silent(r.err.s)) {
            a = SLURM_SILENT;
        }
        if (a != SLURM_ANSWERED && !why[0]) {
            char how[128];
            proc_describe(&r, how, sizeof how);
            snprintf(why, SLURM_WHY, "%s: %s", argv[0], how);
        }
    }
    return a;
}

enum slurm_answer slurm_call(char *const argv[], struct strbuf *out, char why[SLURM_WHY])
{
    return call(argv, NULL, out, why);
}

enum slurm_answer slurm_ask(char *const argv[], struct strbuf *out, char why[SLURM_WHY])
{
    return call(argv, &execute_stop, out, why);
}
