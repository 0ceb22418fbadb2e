# The manual page of one command, from its section of paragrade.1 (manual-page.awk).
#
#     awk -v command=grade -v summary=TEXT -f command-page.awk paragrade.1
#
# A section begins with ".TP" and ".B COMMAND" below COMMANDS, and ends before the next one, or with ".PP".
# Its lines up to ".br" are the synopsis, the rest is the description. What stands between ".RS" and ".RE"
# are the options. The other pages and the first one refer to each other.
function finish() {
    if (!found) {
        print "command-page.awk: no section for " command > "/dev/stderr"
        exit 1
    }
    print ".SH SEE ALSO\n.BR paragrade (1)\nhas the exit statuses, the files and the environment variables of all commands."
}
NR == 1 {
    sub(/^\.TH PARAGRADE /, "")
    head = ".TH PARAGRADE-" toupper(command) " " $0
}
/^\.SH / { commands = $2 == "COMMANDS"; if (inside) exit }
!commands { next }
/^\.RS/ { depth++; if (inside && depth == 1) { print ".SH OPTIONS"; next } }
/^\.RE/ { depth--; if (inside && depth == 0) next }
depth == 0 && (/^\.TP/ || /^\.PP/) { held = /^\.TP/; if (inside) exit; next }
# A second form of the same command: ".TQ"
depth == 0 && /^\.TQ/ { if (inside) print ".br"; again = inside; next }
held && /^\.B / {
    held = 0
    name = $2
    sub(/\\.*/, "", name)
    if (name != command)
        next
    inside = found = synopsis = 1
    print head
    print ".SH NAME\nparagrade-" command " \\- " summary "\n.SH SYNOPSIS"
    sub(/^\.B /, ".B paragrade ")
    print
    next
}
inside && again && /^\.B / { again = 0; sub(/^\.B /, ".B paragrade ") }
inside && synopsis && /^\.br/ { synopsis = 0; print ".SH DESCRIPTION"; next }
inside
END { finish() }
