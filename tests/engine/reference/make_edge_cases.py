"""Make edge_cases.json again with PyTorch: python tests/engine/reference/make_edge_cases.py

PyTorch is no requirement of ours; the file it has made is what the tests read.
"""

import json
import math
from pathlib import Path

INF, NAN, LARGEST, TINY = math.inf, math.nan, 1.7976931348623157e308, 5e-324

ENDS = (0.0, -0.0, INF, -INF, NAN)
SPREAD = (-20.0, -1.5, -0.3, 0.3, 1.0, 2.5, 20.0)

UNARY: dict[str, tuple[float, ...]] = {
    "exp": (709.782712893384, 709.79, -745.1, -746.0, 1e-320),
    "log": (TINY, 1e-320, 0.5, 1.0, 2.0, -1.0, LARGEST),
    "log1p": (-1.0, -2.0, -0.5, 1e-17, 1e-320, LARGEST),
    "sqrt": (TINY, 2.0, -1.0, LARGEST),
    "square": (1e-200, 1e200, -3.0),
    "abs": (TINY, -TINY, -2.0),
    "sign": (TINY, -TINY, -2.0),
    "floor": (-0.5, 0.5, 2.0, -2.5, 1e300, 4503599627370497.5),
    "sin": (1e-320, 3.141592653589793, 1e22, -1.0),
    "cos": (1e-320, 3.141592653589793, 1e22, -1.0),
    "tan": (1.5707963267948966, 1e22, -1.0),
    "asin": (1.0, -1.0, 1.0000000000000002, 0.5, -0.99),
    "acos": (1.0, -1.0, -1.0000000000000002, 0.5, -0.99),
    "atan": (1e200, -1e200, 1.0, -0.5),
    "tanh": (20.0, -20.0, 1e-320, 0.5, -LARGEST, 354.0),
    "sigmoid": (37.0, -37.0, -700.0, -709.7, -710.0, -746.0, 710.0, LARGEST),
    "relu": (TINY, -TINY, 3.0, -3.0),
    "leaky_relu": (TINY, -3.0, 3.0, -LARGEST),
    "elu": (-1e-20, -750.0, -1.0, 3.0),
    "softplus": (20.0, 20.000000000000004, 19.999, -750.0, -37.0, 0.5),
    "silu": (-37.0, -709.7, -710.0, 37.0, 0.5),
    "gelu": (-1.0, 5.0, 37.0, 0.5, -50.0),
}

COMPOSED: tuple[tuple[str, str, dict[str, float]], ...] = (
    *(("pow_const", f"x**{p}", {"x": x}) for p in (0, 1, 3, -1, 0.5, -0.5) for x in (0.0, -2.0)),
    *(("pow_const", "x**2", {"x": x}) for x in (1e200, -1e200, INF, -INF, NAN, 1e-200)),
    *(("pow_const", f"{base}**x", {"x": x}) for base in (2, 0) for x in (0.0, -1.0, 2000.0)),
    *(("pow_const", "(-8)**x", {"x": x}) for x in (1 / 3, 2.0, 0.0)),
    *(
        ("pow_var", "a**b", {"a": a, "b": b})
        for a in (0.0, 2.0, -2.0, 0.5, INF)
        for b in (0.0, 1.0, -1.0, 2.0, 0.5, 2000.0, -2000.0)
    ),
    *(
        ("div", "a/b", {"a": a, "b": b})
        for a in (1.0, 0.0, -0.0, -3.0, INF, 1e300)
        for b in (2.0, 0.0, -0.0, INF, 1e-300)
    ),
    *(("zero", f"a{op}b", {"a": a, "b": -0.0}) for op in "+-*" for a in (0.0, -0.0, 1.0)),
    *(
        (name[:3], f"{name}(a,b)", {"a": a, "b": b})
        for name in ("maximum", "minimum")
        for a, b in ((2.0, 1.0), (1.0, 2.0), (-0.0, 0.0), (NAN, 1.0), (1.0, NAN), (INF, INF))
    ),
    *(("where", "where_gt0(c,x,y)", {"c": c, "x": 2.0, "y": 3.0}) for c in (1.0, 0.0, -1.0, NAN)),
    ("max", "maximum(a,a)", {"a": 3.0}),
    ("min", "minimum(a,a)", {"a": -3.0}),
    ("reuse", "a*a", {"a": 3.0}),
    ("reuse", "a+a", {"a": 3.0}),
    ("reuse", "a/a", {"a": -0.5}),
    ("reuse", "a**a", {"a": 2.5}),
    ("reuse", "a**a", {"a": 0.0}),
    ("reuse", "where_gt0(a,a,a)", {"a": 2.0}),
    ("reuse", "(a+b)*(a-b)*(a*b)", {"a": 1.5, "b": -2.5}),
    ("reuse", "sin(a)*cos(a)+tan(a)", {"a": 0.7}),
    ("inf", "a-a", {"a": INF}),
    ("inf", "a*b", {"a": INF, "b": 0.0}),
    ("inf", "exp(a)/exp(b)", {"a": 800.0, "b": 800.0}),
    ("inf", "log(exp(a)+exp(b))", {"a": 1000.0, "b": 1.0}),
    ("inf", "sqrt(x)**2", {"x": 0.0}),
    ("inf", "1/(1+exp(-x))", {"x": -800.0}),
    ("inf", "exp(-1/x)", {"x": 0.0}),
    ("subnormal", "a*b", {"a": 1e-200, "b": 1e-200}),
    ("subnormal", "a/b", {"a": TINY, "b": 2.0}),
    ("subnormal", "a-b", {"a": 1e-308, "b": 9.99e-309}),
    ("extreme", "a*b", {"a": 1e200, "b": 1e200}),
    ("extreme", "a-b", {"a": 1e16, "b": 1.0}),
    ("extreme", "log(a)*b", {"a": LARGEST, "b": LARGEST}),
    ("neuron", "tanh(x*w+b)", {"x": 0.5, "w": -1.2, "b": 0.3}),
    ("neuron", "sigmoid(x*w+b)", {"x": 3.0, "w": 2.0, "b": -1.0}),
    ("neuron", "relu(x*w+b)", {"x": 2.0, "w": -1.0, "b": 2.0}),
    ("neuron", "gelu(x*w+b)+silu(x)", {"x": 0.7, "w": 1.1, "b": -0.2}),
    ("neuron", "-(y*log(p)+(1-y)*log(1-p))", {"y": 1.0, "p": 0.9}),
    ("neuron", "-(y*log(p)+(1-y)*log(1-p))", {"y": 0.0, "p": 0.0}),
    ("neuron", "softplus(-y*s)", {"y": -1.0, "s": 30.0}),
    ("neuron", "square(y-elu(w*x))", {"y": 0.2, "w": -0.5, "x": 1.5}),
    ("neuron", "leaky_relu(a)*leaky_relu(b)", {"a": -2.0, "b": 3.0}),
)


def rows() -> list[dict[str, object]]:
    """Every case as PyTorch computes it."""
    cases = [
        (name, f"{name}(x)", {"x": x})
        for name, points in UNARY.items()
        for x in (*ENDS, *SPREAD[:: 1 if len(points) < 5 else 2], *points)
    ]
    return [_row(k, *case) for k, case in enumerate((*cases, *COMPOSED), 1)]


def main() -> None:
    text = ",\n  ".join(json.dumps(row) for row in rows())
    meta = json.dumps({"reference": "PyTorch float64", "made_by": Path(__file__).name})
    target = Path(__file__).with_name("edge_cases.json")
    target.write_text(f'{{"meta": {meta},\n "cases": [\n  {text}\n ]}}\n', "utf-8")


def _row(k: int, category: str, expression: str, inputs: dict[str, float]) -> dict[str, object]:
    import torch  # pyright: ignore[reportMissingImports]
    from torch.nn import functional  # pyright: ignore[reportMissingImports]

    def tensor(value: object) -> object:
        return torch.as_tensor(value, dtype=torch.float64)

    leaves = {
        n: torch.tensor(v, dtype=torch.float64, requires_grad=True) for n, v in inputs.items()
    }
    names = {n: getattr(torch, n, None) or getattr(functional, n) for n in UNARY}
    names |= {
        "maximum": lambda a, b: torch.maximum(tensor(a), tensor(b)),
        "minimum": lambda a, b: torch.minimum(tensor(a), tensor(b)),
        "where_gt0": lambda c, x, y: torch.where(c > 0, tensor(x), tensor(y)),
    }
    root = eval(expression, names, leaves)  # our own list above
    root.backward()
    grads = {
        n: None if leaf.grad is None else spelled(leaf.grad.item()) for n, leaf in leaves.items()
    }
    return {
        "id": f"B{k:03}",
        "category": category,
        "expr": expression,
        "inputs": {name: spelled(value) for name, value in inputs.items()},
        "expected_forward": spelled(root.item()),
        "expected_grads": grads,
    }


def spelled(value: float) -> float | str:
    """The number, or its word where JSON has none."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return "-0.0" if value == 0 and math.copysign(1.0, value) < 0 else value


if __name__ == "__main__":
    main()
