# page_contrast.awk - the contrast of a page's colours (WCAG 2), from the variables of its own style: a
# line for each pair, for light and for dark: "light ink paper 16.1". Texts need 4.5.
function hex(s,    i, v) {
    v = 0
    for (i = 1; i <= length(s); i++)
        v = 16 * v + index("0123456789abcdef", tolower(substr(s, i, 1))) - 1
    return v
}
function part(s,    v) {
    v = hex(s) / 255
    return v <= 0.04045 ? v / 12.92 : exp(2.4 * log((v + 0.055) / 1.055))
}
function luminance(c) {
    return 0.2126 * part(substr(c, 1, 2)) + 0.7152 * part(substr(c, 3, 2)) + 0.0722 * part(substr(c, 5, 2))
}
function contrast(a, b,    x, y) {
    x = luminance(a)
    y = luminance(b)
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05)
}
/^<style>/ { in_style = 1; mode = "light" }
/^<\/style>/ { exit }
in_style && /prefers-color-scheme: dark/ { mode = "dark" }
in_style {
    while (match($0, /--[a-z0-9]+: #[0-9a-fA-F]+;/)) {
        pair = substr($0, RSTART + 2, RLENGTH - 3)
        split(pair, v, ": #")
        colour[mode, v[1]] = v[2]
        name[v[1]] = 1
        $0 = substr($0, RSTART + RLENGTH)
    }
}
END {
    for (m = 0; m < 2; m++) {
        mode = m ? "dark" : "light"
        for (n in name)
            if (n !~ /^(paper|panel|rule|grid)$/) {
                printf "%s %s paper %.2f\n", mode, n, contrast(colour[mode, n], colour[mode, "paper"])
            }
        printf "%s ink panel %.2f\n", mode, contrast(colour[mode, "ink"], colour[mode, "panel"])
    }
}
