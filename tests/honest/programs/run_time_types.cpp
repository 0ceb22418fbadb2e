/* tier: naive */
/* Virtual functions, dynamic_cast and typeid. */
#include "honest.h"
#include <memory>
#include <typeinfo>

struct kernel {
    virtual ~kernel() = default;
    virtual void run(const job &j) const = 0;
};
struct plain : kernel {
    void run(const job &j) const override
    {
        part(&j, 0, 1);
    }
};
struct halves : virtual kernel {
    void run(const job &j) const override
    {
        part(&j, 0, 2);
        part(&j, 1, 2);
    }
};
struct thirds : plain, halves {
    void run(const job &j) const override
    {
        for (int i = 0; i < 3; i++)
            part(&j, i, 3);
    }
};

GEMM
{
    std::unique_ptr<plain> k;
    if (M % 2)
        k = std::make_unique<thirds>();
    else
        k = std::make_unique<plain>();
    const job j{M, N, K, A, B, C};
    if (auto *h = dynamic_cast<halves *>(k.get()))
        h->run(j);
    else if (typeid(*k) == typeid(plain))
        k->run(j);
}
