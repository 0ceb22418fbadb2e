# parts.bash - what the table grader/rundir/parts.def says: `load ../helpers/parts`.
# shellcheck shell=bash

_parts_def=$(cd "${BASH_SOURCE[0]%/*}/../.." && pwd)/grader/rundir/parts.def

# parts_column PATTERN: a regular expression with one group, over each row's arguments.
parts_column() { sed -nE "s|^PART\\($1\\).*|\\1|p" "$_parts_def"; }

# The files of a run that no row of kind FILE describes, as paths from the run directory.
unlisted_files() { # RUN
    local pattern regex=
    while IFS= read -r pattern; do
        pattern=${pattern//./\\.}
        pattern=${pattern//\*\*/@} # everything below
        pattern=${pattern//\*/[^/]*}
        regex+="${regex:+|}${pattern//@/.*}"
    done < <(parts_column '[A-Z_]+, *"([^"]+)", *FILE,.*')
    find "$1" ! -type d -printf '%P\n' | grep -vxE "$regex" || true
}
