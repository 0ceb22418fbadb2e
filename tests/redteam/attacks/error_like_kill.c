/* expect: naive build-error */
/* A compiler that seems to have been killed: then the node would be at fault, not the source. */
#pragma GCC error "x\ngcc: fatal error: Killed signal terminated program cc1"
#error gcc: fatal error: Killed signal terminated program cc1
