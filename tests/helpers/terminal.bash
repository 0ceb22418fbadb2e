# terminal.bash - run a command on a terminal of a given size.
# shellcheck shell=bash

# on_terminal LINESxCOLUMNS FILE COMMAND...: what the terminal receives goes to FILE, stdout and
# stderr together. The exit status is the command's.
on_terminal() {
    local size=$1 file=$2
    shift 2
    TERM=xterm script -qec "stty rows ${size%x*} cols ${size#*x}; $(printf '%q ' "$@")" "$file" \
        </dev/null >/dev/null
}

# What the terminal showed at any time, a line each: without escape sequences, and without the first
# and last line, which script adds.
shown() { # FILE
    sed '1d; $d' "$1" | sed -E 's/\x1b\[[0-9;]*m//g; s/\x1b\[[0-9;]*[A-Z]/\r/g' | tr '\r' '\n'
}

# The longest of these lines.
widest() { # FILE
    shown "$1" | LC_ALL=C.UTF-8 awk '{ if (length($0) > most) most = length($0) } END { print most + 0 }'
}
