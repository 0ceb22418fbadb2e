#define mm multiply_parallel

#define Matrix Mat
#define ROWS(m) m.n_rows
#define COLUMNS(m) m.n_cols
#define AT(m, i, j) m.at(i, j)
#define PRODUCT(a, b) a.multiply(b)
