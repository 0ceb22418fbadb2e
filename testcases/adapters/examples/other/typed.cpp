#include <iostream>
#include <vector>

int main()
{
    int n;
    std::cout << "n? ";
    std::cin >> n;
    std::vector<std::vector<int>> m[2];
    for (auto &x : m) {
        x.assign(n, std::vector<int>(n));
        for (auto &row : x)
            for (int &element : row)
                std::cin >> element;
    }
    for (const auto &x : m) {
        std::cout << "A matrix:" << std::endl;
        for (const auto &row : x) {
            for (int element : row)
                std::cout << element << ' ';
            std::cout << std::endl;
        }
    }
    std::cout << "The product:" << std::endl;
    for (int i = 0; i < n; i++, std::cout << std::endl)
        for (int j = 0; j < n; j++) {
            int sum = 0;
            for (int k = 0; k < n; k++)
                sum += m[0][i][k] * m[1][k][j];
            std::cout << sum << ' ';
        }
}
