/* The physical limit: the plan as a C loop, compiled with cc -O2. Values of leaves come in by io,
   their gradients go out by it. */

#include <math.h>
#include <string.h>

enum { LEAF = -1, ADD, SUB, MUL, NEG, RELU, TANH, EXP, SQUARE, DIV };

double run(int n, const int *code, const int *a, const int *b, double *v, double *g,
           int leaves, const int *leaf, double *io)
{
    for (int k = 0; k < leaves; k++)
        v[leaf[k]] = io[k];
    for (int k = 0; k < n; k++) {
        double x = a[k] < 0 ? 0.0 : v[a[k]], y = b[k] < 0 ? 0.0 : v[b[k]];
        switch (code[k]) {
        case ADD: v[k] = x + y; break;
        case SUB: v[k] = x - y; break;
        case MUL: v[k] = x * y; break;
        case DIV: v[k] = x / y; break;
        case NEG: v[k] = -x; break;
        case RELU: v[k] = x < 0.0 ? 0.0 : x; break;
        case TANH: v[k] = tanh(x); break;
        case EXP: v[k] = exp(x); break;
        case SQUARE: v[k] = x * x; break;
        }
    }
    memset(g, 0, n * sizeof *g);
    g[n - 1] = 1.0;
    for (int k = n - 1; k >= 0; k--) {
        double u = g[k];
        int i = a[k], j = b[k];
        switch (code[k]) {
        case ADD: g[i] += u; g[j] += u; break;
        case SUB: g[i] += u; g[j] -= u; break;
        case MUL: g[i] += u * v[j]; g[j] += u * v[i]; break;
        case DIV: g[i] += u / v[j]; g[j] -= u * v[k] / v[j]; break;
        case NEG: g[i] -= u; break;
        case RELU: if (v[i] > 0.0) g[i] += u; break;
        case TANH: g[i] += u * (1.0 - v[k]) * (1.0 + v[k]); break;
        case EXP: g[i] += u * v[k]; break;
        case SQUARE: g[i] += u * 2.0 * v[i]; break;
        }
    }
    for (int k = 0; k < leaves; k++)
        io[k] = g[leaf[k]];
    return v[n - 1];
}
