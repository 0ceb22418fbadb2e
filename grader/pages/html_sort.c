/* Sorts a table by the column whose heading is pressed: numbers by their value, the largest first,
 * other cells as text. Rows that say nothing there come last. It must have no "<" in it. */
#include "pages/html.h"

const char html_sort_script[] =
    "\n"
    "for (const table of document.querySelectorAll('table'))\n"
    "  table.querySelectorAll('thead th').forEach((heading, column) => {\n"
    "    const button = document.createElement('button');\n"
    "    button.textContent = heading.textContent;\n"
    "    heading.replaceChildren(button);\n"
    "    button.addEventListener('click', () => {\n"
    "      const body = table.tBodies[0], number = heading.classList.contains('number');\n"
    "      const was = heading.getAttribute('aria-sort');\n"
    "      const up = was ? was === 'descending' : !number;\n"
    "      const key = row => number ? parseFloat(row.cells[column].dataset.v)\n"
    "                                : row.cells[column].textContent.trim();\n"
    "      const empty = k => number ? isNaN(k) : k === '' || k === '-';\n"
    "      const order = (a, b) => {\n"
    "        const x = key(a), y = key(b);\n"
    "        if (empty(x) || empty(y)) return empty(x) - empty(y);\n"
    "        const d = number ? x - y : x.localeCompare(y, 'en', {numeric: true});\n"
    "        return up ? d : -d;\n"
    "      };\n"
    "      body.append(...[...body.rows].sort(order));\n"
    "      table.querySelectorAll('th[aria-sort]').forEach(h => h.removeAttribute('aria-sort'));\n"
    "      heading.setAttribute('aria-sort', up ? 'ascending' : 'descending');\n"
    "    });\n"
    "  });\n";
