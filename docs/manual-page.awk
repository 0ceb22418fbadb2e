# The manual page, from paragrade.1.in: the program itself lists the options of each command.
#
#     awk -v program=build/bin/paragrade -f manual-page.awk paragrade.1.in
/^\.\\"/ { next }
/^\.OPTIONS / {
    command = program " " $2 " --list-options=man"
    print ".RS"
    while ((command | getline line) > 0)
        print line
    if (close(command) != 0)
        exit 1
    print ".RE"
    next
}
1
