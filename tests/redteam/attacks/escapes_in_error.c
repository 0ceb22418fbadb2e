/* expect: naive build-error */
/* The same, in what the compiler says: raw bytes. */
#error "]0;owned[2Jÿþ ","=1+1
