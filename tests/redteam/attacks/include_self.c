/* expect: naive build-error */
/* A file that includes itself, twice. */
#include __FILE__
#include __FILE__
