# page_problems.awk - what is wrong with a page, one line each: it must work alone, without scripts,
# by keyboard and with a screen reader. Text of pages has no "<", so whatever starts with it is a tag.
function problem(text) { print text }
function attribute(tag, name,    s) {
    if (!match(tag, "[ \n]" name "=\"[^\"]*\""))
        return ""
    s = substr(tag, RSTART, RLENGTH)
    sub(/^[^"]*"/, "", s)
    sub(/"$/, "", s)
    return s
}
BEGIN {
    RS = "<"
    split("a body caption circle code defs div desc feBlend feComposite feFlood figcaption figure " \
        "filter footer g h1 h2 h3 head header html li link main meta nav ol p path pattern polygon " \
        "pre rect section span strong style svg table tbody td text th thead title tr ul use wbr", list, " ")
    for (i in list)
        known[list[i]] = 1
}
NR == 1 { next }
{
    end = index($0, ">")
    tag = substr($0, 1, end - 1)
    text = substr($0, end + 1)
    name = tag
    sub(/[ \n\/].*/, "", name)
}
tag ~ /^\// || tag ~ /^!doctype html$/ {
    if (tag == "/tr" && cells != columns) problem("a row has " cells " cells, its table " columns " columns")
    if (tag == "/table" && !captioned) problem("a table without caption")
    if (tag == "/thead") heading_row = 0
    if (tag == "/svg") in_svg = 0
    next
}
{
    count[name]++
    if (name == "script" && tag == name && own_script) next # the policy allows one, by its digest
    if (!(name in known)) problem("unknown element: " tag)
    if (tag ~ /[ \n]on[a-z]+=/) problem("event handler: " tag)
    if (name != "meta" && tag ~ /(src|href|action|data)="?'?[a-z]+:/ && tag !~ /^link rel="icon" href="data:,"$/)
        problem("address: " tag)
    if (tag ~ /style=/ && !in_svg) problem("style of its own: " tag)
    id = attribute(tag, "id")
    if (id == "" && match(tag, / id='[^']*'/)) id = substr(tag, RSTART + 5, RLENGTH - 6)
    if (id != "" && id in ids) problem("id twice: " id)
    if (id != "") ids[id] = 1
    href = attribute(tag, "href")
    if (href ~ /^#/) wanted[substr(href, 2)] = tag
    if (match(tag, / href='#[^']*'/)) wanted[substr(tag, RSTART + 8, RLENGTH - 9)] = tag
    n = split(attribute(tag, "aria-labelledby") " " attribute(tag, "aria-describedby"), list, " ")
    for (i = 1; i <= n; i++) wanted[list[i]] = tag
}
name == "html" && attribute(tag, "lang") == "" { problem("no language") }
name == "meta" && tag ~ /Content-Security-Policy/ {
    policy = tag ~ /default-src 'none'/
    own_script = tag ~ /script-src 'sha256-[A-Za-z0-9+\/=]*'; / && tag !~ /unsafe-inline'[^;]*script/
}
name ~ /^h[1-6]$/ {
    level = substr(name, 2)
    if (level > last + 1) problem("heading " level " below " last ": " text)
    last = level
    if (text ~ /^[ \n]*$/) problem("empty heading")
}
name == "section" && attribute(tag, "aria-labelledby") == "" { problem("section without label") }
name == "nav" && attribute(tag, "aria-label") == "" { problem("nav without label") }
name == "svg" {
    in_svg = 1
    if (attribute(tag, "role") != "img" || attribute(tag, "aria-labelledby") == "" ||
        attribute(tag, "aria-describedby") == "") problem("picture without text: " tag)
}
name == "div" && tag ~ /class="scroll"/ {
    if (attribute(tag, "tabindex") != "0" || attribute(tag, "aria-label") == "")
        problem("cannot be scrolled by keyboard: " tag)
}
name == "table" { captioned = columns = 0 }
name == "caption" { captioned = 1 }
name == "thead" { heading_row = 1 }
name == "tr" { cells = 0 }
name == "th" || name == "td" { cells++; if (heading_row) columns = cells }
name == "th" && attribute(tag, "scope") == "" { problem("heading of a table without scope") }
in_svg && tag ~ /#[0-9a-fA-F][0-9a-fA-F][0-9a-fA-F]|rgb\(|black|white/ && tag !~ /^feFlood/ {
    problem("colour of its own: " tag)
}
END {
    for (i in wanted)
        if (!(i in ids)) problem("nothing has the id " i ": " wanted[i])
    split("html head title body header h1 nav main footer", list, " ")
    for (i in list)
        if (count[list[i]] < 1 || (list[i] != "title" && count[list[i]] != 1))
            problem(list[i] ": " count[list[i]] + 0 " times")
    if (!policy) problem("no policy against scripts")
}
