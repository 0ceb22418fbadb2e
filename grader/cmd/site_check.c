/* What surrounds a machine: Slurm, its clock and its spool directory, environment modules. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "base/install.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "cmd/examination.h"

/* A difference of clocks in seconds that is no rounding of whole ones. */
enum { SKEW_MOST = 2, OUTPUT_MOST = 1 << 16 };
static const double SPOOL_LEAST = 100 * 1048576.0;

void check_slurm(struct examination *x)
{
    x->topic = "Slurm";
    OWNED char *sbatch = proc_which("sbatch");
    OWNED char *line =
        sbatch ? examination_first_line("scontrol ping", EXAMINATION_QUICK_MS) : NULL;
    if (line && strstr(line, "UP"))
        examination_say(x, EXAMINATION_OK, line, "");
    else
        examination_say(
            x, EXAMINATION_WARN,
            line     ? line
            : sbatch ? "the controller does not answer"
                     : "not installed",
            sbatch
                ? "--slurm does not work now. Try again when `scontrol ping` says UP, or grade on "
                  "this machine without --slurm"
                : "units can be graded on this machine only, without --slurm. To use a cluster, "
                  "run Paragrade on its login node");
}

void check_accounting(struct examination *x)
{
    x->topic = "accounting";
    OWNED char *sacct = proc_which("sacct");
    OWNED char *line =
        sacct ? examination_first_line("sacct -n -X -S now", EXAMINATION_QUICK_MS) : NULL;
    examination_say(
        x, line ? EXAMINATION_OK : EXAMINATION_WARN,
        line ? "sacct answers" : "sacct does not answer",
        "why a job was lost is asked of scontrol, which forgets jobs after some minutes. To keep "
        "the reasons, set up accounting (slurmdbd)");
}

/* What a command prints; NULL: it fails. The caller frees it. */
static char *output_of(const char *const argv[])
{
    struct proc_spec spec = {
        .argv = (char *const *)argv, .output_max = OUTPUT_MOST, .timeout_ms = EXAMINATION_QUICK_MS};
    struct proc_result r;
    char *text = NULL;
    if (proc_run(&spec, &r, NULL) == 0) {
        text = proc_ok(&r) ? xstrdup(r.out.s) : NULL;
        proc_result_free(&r);
    }
    return text;
}

/* Many sites have none. A module of the configuration that cannot be loaded stops doctor earlier.
 */
void check_modules(struct examination *x)
{
    OWNED char *script = install_share("sbatch/with-modules");
    OWNED char *found =
        script ? output_of((const char *const[]){script, "--", "echo", NULL}) : NULL;
    x->topic = "modules";
    examination_say(x, EXAMINATION_OK,
                    found ? "there is a command 'module'"
                          : "no command 'module': the configuration can name no modules",
                    "");
}

/* The value of a line "NAME   = VALUE" that Slurm prints. The caller frees it; NULL: none. */
static char *slurm_setting(const char *text, const char *name)
{
    const size_t len = strlen(name);
    for (const char *line = text; line && *line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, name, len) != 0 || !strchr(" =", line[len]))
            continue;
        const char *value = line + len + strspn(line + len, " =");
        return xasprintf("%.*s", (int)strcspn(value, "\n"), value);
    }
    return NULL;
}

/* What Slurm's controller is configured with; its first line has the time there. NULL: no answer.
 */
static char *slurm_configuration(void)
{
    return output_of((const char *const[]){"scontrol", "show", "config", NULL});
}

/* Seconds that this clock is ahead of the controller's: its answer has whole seconds of local time.
 * NAN: it says none. */
static double ahead_of_controller(const char *config, time_t now)
{
    struct tm tm = {.tm_isdst = -1};
    const char *at = config ? strstr(config, "as of ") : NULL;
    if (!at || !strptime(at + strlen("as of "), "%Y-%m-%dT%H:%M:%S", &tm))
        return (double)NAN;
    return difftime(now, mktime(&tm));
}

/* Seconds that this clock is ahead of the one that gives files in `dir` their times. */
static double ahead_of_files(const char *dir)
{
    OWNED char *path = xasprintf("%s/.paragrade-clock-XXXXXX", dir);
    struct stat s;
    const int fd = mkstemp(path);
    double ahead = (double)NAN;
    if (fd >= 0 && write(fd, "x", 1) == 1 && fsync(fd) == 0 && fstat(fd, &s) == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        ahead = difftime(now.tv_sec, s.st_mtim.tv_sec);
    }
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return ahead;
}

void check_clock(struct examination *x)
{
    const time_t now = time(NULL);
    OWNED char *config = slurm_configuration();
    const double controller = ahead_of_controller(config, now), files = ahead_of_files(".");
    const bool wrong = fabs(controller) > SKEW_MOST || fabs(files) > SKEW_MOST;
    FREED_BY(strbuf_free) struct strbuf found = STRBUF_INIT;
    x->topic = "clock";
    if (!isnan(controller))
        strbuf_addf(&found, "%+.0f s from Slurm's controller", controller);
    if (!isnan(files))
        strbuf_addf(&found, "%s%+.0f s from the files in this directory", found.len ? ", " : "",
                    files);
    examination_say(
        x, wrong ? EXAMINATION_WARN : EXAMINATION_OK,
        found.len ? found.s : "nothing to compare with",
        "times in reports and deadlines are then wrong, and a job may seem to end before "
        "it starts. Set the clocks by NTP (chronyc tracking)");
}

/* Slurm's words for the name of this node. The caller frees the path. */
static char *spool_path(const char *setting)
{
    char host[HOST_NAME_MAX + 1] = "";
    const char *node = getenv("SLURMD_NODENAME");
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0';
    char *half = xreplace(setting, "%n", node ? node : host), *path = xreplace(half, "%h", host);
    free(half);
    return path;
}

void check_spool(struct examination *x)
{
    struct statvfs s;
    OWNED char *config = slurm_configuration(),
               *setting = config ? slurm_setting(config, "SlurmdSpoolDir") : NULL;
    OWNED char *dir = setting ? spool_path(setting) : NULL, *text = NULL;
    bool bad = false;
    if (dir && statvfs(dir, &s) == 0) {
        const double bytes = (double)s.f_bavail * (double)s.f_frsize;
        bad = bytes < SPOOL_LEAST || s.f_favail == 0;
        text = xasprintf("%s: %.1f GiB free", dir, bytes / 1073741824.0);
    } else {
        text = dir ? xasprintf("%s: %s", dir,
                               errno == ENOENT ? "not here (no compute node)" : strerror(errno))
                   : xstrdup("none: no answer from Slurm");
    }
    x->topic = "spool";
    examination_say(x, bad ? EXAMINATION_WARN : EXAMINATION_OK, text,
                    "Slurm cannot start jobs on this node when its spool directory is full. Delete "
                    "what lies there, or give it more room");
}
