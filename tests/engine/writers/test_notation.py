"""Rules as people write them, on the screen and in LaTeX."""

import pytest

from engine.writers.notation import latex, on_screen


@pytest.mark.parametrize(
    ("text", "screen", "tex"),
    [
        ("a * a", "a²", "a^2"),
        ("3 * a * a", "3 · a · a", r"3 \, a \, a"),
        ("(1 - a) * (1 + a)", "1 − a²", "1 - a^2"),
        ("(1 + a) * (1 - a)", "(1 + a) · (1 − a)", r"(1 + a) \, (1 - a)"),
        ("a / b / b", "(a ÷ b) ÷ b", r"\frac{\frac{a}{b}}{b}"),
        ("-1 / sqrt(a + b)", "−1 ÷ √(a + b)", r"-\frac{1}{\sqrt{a + b}}"),
        ("2 * log(a)", "2 · log(a)", r"2 \ln(a)"),
        ("a ** (b - 1)", "a^(b − 1)", "a^{b - 1}"),
        (
            "0 if a < b else 0.5 if a == b else 1",
            "0 if a < b, ½ if equal, else 1",
            r"\begin{cases} 0 & a < b \\ \tfrac{1}{2} & a = b \\ 1 & \text{else} \end{cases}",
        ),
    ],
)
def test_a_rule_is_written_as_people_write_it(text: str, screen: str, tex: str):
    assert (on_screen(text), latex(text)) == (screen, tex)


def test_the_value_is_written_by_its_own_formula():
    assert on_screen("1 + out * out", "tan(a)") == "1 + tan(a)²"
    assert latex("1 + out * out", "tan(a)") == r"1 + \tan^2(a)"
