/* expect: naive build-error */
/* Instantiate without end. */
template <int N, int M> struct f {
    static const int value = f<N - 1, M * 2>::value + f<N - 1, M * 2 + 1>::value;
};
template <int M> struct f<0, M> {
    static const int value = M;
};
int x = f<28, 1>::value;
