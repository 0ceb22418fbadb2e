/* The style of all pages. Colours are variables, once for light and once for dark: a test computes
 * their contrast. --s1 ... --s8 are those of series in pictures (picture.c). */
#include "pages/html.h"

static const char *const sheet[] = {
    ":root {",
    "  --paper: #ffffff; --panel: #f3f5f7; --ink: #1b1f23; --dim: #565d64; --rule: #c9ced3;",
    "  --grid: #dddddd; --link: #0b57a4; --good: #0a6b3d; --bad: #b3261e; --warn: #7a5200;",
    "  --s1: #0a66a0; --s2: #b04a00; --s3: #00714f; --s4: #a03f78; --s5: #7d5a00; --s6: #5a55c8;",
    "  --s7: #1b1f23; --s8: #76448a;",
    "}",
    "@media (prefers-color-scheme: dark) { :root {",
    "  --paper: #14171a; --panel: #1e2327; --ink: #e8eaed; --dim: #a9b1b9; --rule: #454c53;",
    "  --grid: #363c42; --link: #8ab8f2; --good: #6bd09a; --bad: #ff9b91; --warn: #f0c060;",
    "  --s1: #74b8f0; --s2: #ff9f66; --s3: #54d1a6; --s4: #efa6cc; --s5: #efc04f; --s6: #aaa6ff;",
    "  --s7: #e8eaed; --s8: #cba4de;",
    "} }",
    "* { box-sizing: border-box; }",
    "html { color-scheme: light dark; }",
    "body { margin: 0 auto; max-width: 62rem; padding: 0 1rem 2rem; background: var(--paper);",
    "  color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }",
    ".wide { max-width: none; }",
    ".wide #class { display: flex; flex-wrap: wrap; gap: 0 3rem; align-items: flex-start; }",
    ".wide #class > h2, .wide #class > p { flex-basis: 100%; max-width: none; }",
    "thead button { all: unset; cursor: pointer; }",
    "thead button:hover { text-decoration: underline; }",
    "thead button:focus-visible { outline: 3px solid var(--link); }",
    "[aria-sort] button::after { content: ' \\2193'; }",
    "[aria-sort=ascending] button::after { content: ' \\2191'; }",
    "h1 { font-size: 1.6rem; line-height: 1.25; margin: 1.2rem 0 .3rem; }",
    "h2 { font-size: 1.3rem; line-height: 1.3; margin: 2.2rem 0 .5rem; padding-top: .6rem;",
    "  border-top: 2px solid var(--rule); }",
    "h3 { font-size: 1.1rem; margin: 1.6rem 0 .3rem; }",
    "p { margin: .5rem 0; max-width: 46rem; }",
    "a { color: var(--link); }",
    ":focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }",
    ".skip { position: absolute; left: -100rem; }",
    ".skip:focus { left: 1rem; top: .5rem; padding: .5rem 1rem; background: var(--paper); }",
    "nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; margin: .8rem 0;",
    "  list-style: none; }",
    "nav a { display: inline-block; padding: .3rem 0; }",
    "main:focus { outline: none; }",
    "header p, footer, .label, caption { color: var(--dim); }",
    "footer { margin-top: 2.5rem; border-top: 1px solid var(--rule); font-size: .9rem; }",
    ".total { font-size: 1.25rem; font-weight: bold; }",
    ".scroll { overflow-x: auto; margin: .8rem 0; }",
    "table { border-collapse: collapse; font-size: .95rem; }",
    "caption { text-align: left; padding-bottom: .3rem; }",
    "caption span { display: block; max-width: min(46rem, 100vw - 2rem); }",
    "th, td { text-align: left; vertical-align: top; padding: .3rem .9rem .3rem 0; }",
    "td, tbody th { white-space: nowrap; }",
    ".text { white-space: normal; min-width: 16rem; overflow-wrap: anywhere; }",
    "tbody th.text { white-space: normal; min-width: 12rem; max-width: 24rem; }",
    "thead th { border-bottom: 2px solid var(--rule); vertical-align: bottom; }",
    "tbody tr { border-bottom: 1px solid var(--rule); }",
    "tbody th { font-weight: 600; }",
    ".wide tbody th { position: sticky; left: 0; background: var(--paper); white-space: normal;",
    "  min-width: 9rem; max-width: 15rem; overflow-wrap: anywhere; }",
    ".number { text-align: right; font-variant-numeric: tabular-nums; }",
    ".good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }",
    ".warn { color: var(--warn); } .dim { color: var(--dim); }",
    "p.label { margin: .8rem 0 .2rem; }",
    "pre { background: var(--panel); margin: 0 0 .8rem; padding: .6rem .8rem; font-size: .9rem;",
    "  white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid var(--rule); }",
    "figure { margin: 1rem 0; }",
    "figure svg { display: block; width: 100%; max-width: 40rem; height: auto; }",
    "figcaption { color: var(--dim); max-width: 46rem; }",
    "ol > li { margin: .6rem 0; max-width: 46rem; }",
    "@media (max-width: 40rem) { body { padding: 0 .8rem 1.5rem; } table { font-size: .9rem; }",
    "  .wide tbody th { min-width: 6.5rem; max-width: 8rem; } .wide #class > .scroll { max-width: "
    "100%; "
    "}",
    "  .text { min-width: 11rem; }",
    "  h1 { font-size: 1.35rem; } figure svg { margin: 0 -.3rem; width: calc(100% + .6rem); } }",
    "@media print { nav, .skip { display: none; } pre { border: 1px solid; } }",
};

void html_raw_style(struct strbuf *sb)
{
    for (size_t i = 0; i < sizeof sheet / sizeof sheet[0]; i++) {
        strbuf_adds(sb, sheet[i]);
        strbuf_adds(sb, "\n");
    }
}
