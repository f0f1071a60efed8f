"""What a text must never make happen, pieces that readers get wrong, and programs to change."""

DANGERS = (
    "__import__('os').system('true')",
    "import os; os.remove('x')",
    "from subprocess import run",
    "import socket",
    "import ctypes, antigravity",
    "import this",
    "open('/tmp/backwire-fuzz', 'w')",
    "exec('1')",
    "eval('1+1')",
    "compile('1', '', 'exec')",
    "().__class__.__base__.__subclasses__()",
    "a.__class__.__init__.__globals__",
    "getattr(a, 'data')",
    "globals()['a']",
    "(lambda: 1)()",
    "[x for x in ().__class__.__mro__]",
    "print(open('/etc/passwd').read())",
    "f'{__import__(\"os\").getcwd()}'",
    "f'{a!r:>{10**9}}'",
    "'%999999999d' % 1",
    "'{:>999999999}'.format(1)",
    "'a' * 10**10",
    "[0] * 10**10",
    "(1,) * 10**9",
    "10**10**10",
    "9**9**9**9",
    "1 << 10**10",
    "0x" + "f" * 3000,
    "2**-1**2**1e308",
    "while True: pass",
    "def f(x): return f(x)",
    "class Value: pass",
    "raise SystemExit",
    "import sys; sys.exit()",
    "assert False",
    "del a",
    "a = a",
    "global a",
    "return 1",
    "yield a",
    "await a",
    "async def f(): pass",
    "with open('x', 'w') as f: f.write('x')",
    "try: a\nexcept: pass",
    "@a\nclass b: pass",
    "match a:\n case _: pass",
    "(a := Value(1))",
    "*a, b = [Value(1)] * 3",
    "a[0:10**9]",
    "a[-1][-1]",
    "{**a}",
    "breakpoint()",
    "input()",
    "help()",
    "quit()",
    "%run x.py",
    "!rm x",
    "?a",
    ">>> a = Value(1)",
    "# -*- coding: utf-7 -*-",
    "#coding: rot13",
    '"\\N{DASH}"',
    "'\\ud800'",
    "Value(float('1e999'))",
    "Value('1')",
    "Value(True)",
    "Value(None)",
    "Value(1j)",
    "Value(Value(1))",
    "Value(2, label='\\ud800')",
    "Value(2, label='\\0')",
    "Value(2, label='x' * 10**9)",
    "a.label = '\\u202e'",
    "a.data = 10**400",
    "a.data -= 0.1 * a.grad",
    "a.backward(); a.backward()",
    "sum([[1], [2]], [])",
    "zip(*[[a]] * 9)",
    "float('nan')",
    "float('9' * 9999)",
    "range(-1)",
    "range(0, 10, 0)",
    "len(range(10**30))",
    "enumerate([a], 10**400)",
    "-" * 500 + "a",
    "not a",
    "a if a else b",
    "a < b < a",
    "a @ b",
    "a // b",
    "a % 0",
    "0 ** -1",
    "(-8) ** (1/3)",
    "1 / 0",
    "Value(1) ** Value(2)",
    "2 ** Value(2)",
    "math.factorial(10**6)",
    "math.exp(1000)",
    "math.sqrt(-1)",
    "math.log(0)",
    "torch.tensor([[1, 2], [3]])",
    "torch.load('x')",
)

FRAGMENTS = (
    "\0",
    "\ud800",
    "\udfff",
    "\u202e",
    "\u200b",
    "\ufeff",
    "\x0c",
    "\r",
    "\u2028",
    "é",
    "ﬁ",
    "\U0001d431",  # a bold x, which Python takes for x
    "−",
    "×",
    "²",
    "^",
    "\\",
    "\\\n",
    "'",
    '"""',
    "#",
    ";",
    ":",
    ",",
    ".",
    "...",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "@",
    "=",
    "+=",
    ":=",
    "==",
    "~",
    "!",
    "$",
    "?",
    "`",
    "**",
    "//",
    "<<",
    "->",
    "\n",
    "\n\t",
    "\n    ",
    "1e999",
    "1_000",
    "0x10",
    "0777",
    "1j",
    "1..",
    "9" * 5000,
    "e" * 250,
    "None",
    "lambda",
    "if",
    "for",
    "in",
    "is",
    "not ",
    "True",
    "inf",
    "nan",
    "Value(",
    "range(99)",
    " .data",
    ".grad",
    ".backward()",
    " = ",
    "- - -",
    "b'x'",
    "f'{a}'",
)

TAIL = ("\n", ";", "\n\n", " + ")

PROGRAMS = (
    """from micrograd.engine import Value
x1 = Value(2.0, label='x1')
w1 = Value(-3.0, label='w1')
b = Value(6.8813735870195432, label='b')
x1w1 = x1*w1; x1w1.label = 'x1*w1'
n = x1w1 + b; n.label = 'n'
o = n.tanh(); o.label = 'o'
o.grad = 1.0
o.backward()
draw_dot(o)
print(f"{o.data:.4f}")
""",
    """import torch
x = torch.tensor([2.0], requires_grad=True)
w = torch.tensor(-3.0, requires_grad=True)
y = torch.relu(x*w) + torch.where(x > 0, x, w)
y.backward()
print(x.grad.item())
""",
    """import math
from micrograd.engine import Value
ws = [Value(0.1*i, label=f'w{i}') for i in range(4)]
xs = [1.0, -2.0, 3.0, 0.5]
act = sum((w*x for w, x in zip(ws, xs)), Value(0.5))
for k, w in enumerate(ws):
    act += w * math.exp(-k)
loss = (act - 1)**2
loss.backward()
""",
    """%matplotlib inline
import numpy as np
import matplotlib.pyplot as plt
a: Value = Value(2.0)
b = +a
if __name__ == "__main__":
    c = a*b
    assert c is not None
    c.backward()
    a.data -= 0.1 * a.grad
""",
    """>>> a = Value(2.0)
>>> b = a * 3
... + a
>>> b.backward()
""",
    """class Value:
    def __init__(self, data):
        self.data = data
a = Value(3.0)
a.backward()
""",
)
