# ruff: noqa: E501 (rows of tables)
"""Rules as learners write them in a lecture's notation, right and wrong ones, over nested formulas."""

from engine.asking.rule_judging import Verdict, judge
from engine.formats.own_formula import own_operation
from tests.helpers.tables import in_turn

BEND = own_operation("bend", "a * sigmoid(a)")

RIGHT = (
    ("relu(a - 3)", "a.grad += out.grad * (out.data > 0)"),
    ("relu(a - 3)", "self.grad += (self.data > 3) * out.grad"),
    ("relu(a - 3)", "a.grad += out.grad if a.data > 3 else 0"),
    ("relu(2*a + 1)", "t = 2 * self.data + 1\nself.grad += 2.0 * (t > 0) * out.grad"),
    ("relu(a)**2", "a.grad += 2 * relu(a.data) * out.grad"),
    ("abs(a + 10)", "a.grad += out.grad * (1 if a.data > -10 else -1)"),
    ("abs(a + 10)", "a.grad += out.grad * (a.data + 10) / out.data"),
    ("abs(a*b)", "s = 1.0 if self.data * other.data > 0 else -1.0\nself.grad += s * other.data * out.grad\nother.grad += s * self.data * out.grad"),
    ("abs(a - b)", "self.grad += sign(a - b) * out.grad\nother.grad -= sign(a - b) * out.grad"),
    ("maximum(a, b)", "self.grad += out.grad if self.data > other.data else 0\nother.grad += 0 if self.data > other.data else out.grad"),
    ("maximum(a, b)", "a.grad += (a.data == out.data) * out.grad\nb.grad += (b.data == out.data) * out.grad"),
    ("maximum(a*b, a + b)", "big = a.data * b.data > a.data + b.data\na.grad += (b.data if big else 1.0) * out.grad\nb.grad += (a.data if big else 1.0) * out.grad"),
    ("maximum(a, 2) * b", "a.grad += (a.data > 2) * b.data * out.grad\nb.grad += max(a.data, 2) * out.grad"),
    ("where_gt0(c, a, b)", "c.grad += 0\na.grad += (c.data > 0) * out.grad\nb.grad += (c.data <= 0) * out.grad"),
    ("where_gt0(a - 1, a**2, 2*a)", "a.grad += (2 * a.data if a.data > 1 else 2) * out.grad"),
    ("gelu(a)", "phi = math.exp(-a.data**2 / 2) / (2 * math.pi)**0.5\na.grad += (out.data / a.data + a.data * phi) * out.grad"),
    ("gelu(2*a)", "t = 2 * self.data\nphi = math.exp(-t**2 / 2) / math.sqrt(2 * 3.141592653589793)\nself.grad += 2 * (gelu(t) / t + t * phi) * out.grad"),
    ("floor(a)", "a.grad += 0"),
    ("a * floor(a)", "a.grad += math.floor(a.data) * out.grad"),
    ("log(a*b - 5.9)", "self.grad += other.data / (self.data * other.data - 5.9) * out.grad\nother.grad += self.data / (self.data * other.data - 5.9) * out.grad"),
    ("log(a*b - 5.9)", "a.grad += b.data * math.exp(-out.data) * out.grad\nb.grad += a.data * math.exp(-out.data) * out.grad"),
    ("log(1 + exp(a))", "a.grad += out.grad / (1 + math.exp(-a.data))"),
    ("log(1 + exp(a))", "a.grad += (1 - math.exp(-out.data)) * out.grad"),
    ("a**4", "a.grad += 4 * a.data**3 * out.grad"),
    ("a**0.5", "self.grad += 0.5 * self.data**-0.5 * out.grad"),
    ("a**b", "self.grad += other.data * self.data**(other.data - 1) * out.grad\nother.grad += out.data * math.log(self.data) * out.grad"),
    ("a**-1", "a.grad -= out.data**2 * out.grad"),
    ("(a*b + 1)**3", "t = self.data * other.data + 1\nself.grad += 3 * t**2 * other.data * out.grad\nother.grad += 3 * t**2 * self.data * out.grad"),
    ("a*b*c", "a.grad += b.data * c.data * out.grad\nb.grad += a.data * c.data * out.grad\nc.grad += a.data * b.data * out.grad"),
    ("a*b*c*d", "self.grad += out.grad * out.data / self.data\nother.grad += out.grad * out.data / other.data\nc.grad += out.grad * out.data / c.data\nd.grad += out.grad * out.data / d.data"),
    ("a*a*b", "a.grad += 2 * a.data * b.data * out.grad\nb.grad += a.data**2 * out.grad"),
    ("a/(a + b)", "s = self.data + other.data\nself.grad += other.data / s**2 * out.grad\nother.grad -= self.data / s**2 * out.grad"),
    ("a/b", "self.grad += out.grad / other.data\nother.grad -= out.grad * self.data / other.data**2"),
    ("(a - b)/(a + b)", "a.grad += 2*b / (a + b)**2 * out.grad\nb.grad += -2*a / (a + b)**2 * out.grad"),
    ("a*sigmoid(a)", "s = sigmoid(a.data)\na.grad += (s + out.data * (1 - s)) * out.grad"),
    ("a*sigmoid(a)", "s = 1 / (1 + math.exp(-self.data))\nself.grad += s * (1 + self.data * (1 - s)) * out.grad"),
    ("sigmoid(a*b)", "self.grad += out.data * (1 - out.data) * other.data * out.grad\nother.grad += out.data * (1 - out.data) * self.data * out.grad"),
    ("tanh(a*b + c)", "d = (1 - out.data**2) * out.grad\na.grad += d * b.data\nb.grad += d * a.data\nc.grad += d"),
    ("exp(-a**2)", "a.grad += -2 * a.data * out.data * out.grad"),
    ("sqrt(a**2 + b**2)", "a.grad += a.data / out.data * out.grad\nb.grad += b.data / out.data * out.grad"),
    ("sin(a)*cos(a)", "a.grad += (math.cos(a.data)**2 - math.sin(a.data)**2) * out.grad"),
    ("minimum(maximum(a, -1), 1)", "a.grad += (-1 < a.data < 1) * out.grad"),
    ("bend(a) * b", "t = math.exp(-a.data)\ns = 1/(1+t)\na.grad += b.data * (s + a.data*s*(1-s)) * out.grad\nb.grad += bend(a.data) * out.grad"),
    ("bend(bend(a))", "u = bend(a.data)\ns = sigmoid(a.data)\nv = sigmoid(u)\na.grad += (v + u*v*(1-v)) * (s + u*(1-s)) * out.grad"),
)  # fmt: skip
BELIEFS = (
    ("relu(a - 3)", "a", "a.grad += 0", "nothing", "Nothing is sent."),
    ("relu(a - 3)", "a", "a.grad += out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("relu(a - 3)", "a", "a.grad += (out.data > 0)", "upstream forgotten", "This is the slope alone; multiply it by out.grad."),
    ("relu(a - 3)", "a", "a.grad = (out.data > 0) * out.grad", "replaced", "= throws away what came before, over other wires; write +=."),
    ("relu(a - 3)", "a", "a.grad += (out.data < 0) * out.grad", "nothing", "Nothing is sent."),
    ("relu(2*a + 1)", "a", "a.grad += (out.data > 0) * out.grad", "inner derivative missing", "The derivative of what stands inside, 2 · a + 1, is missing."),
    ("relu(a)**2", "a", "a.grad += (a.data > 0) * out.grad", "outer derivative missing", "Only the derivative of what stands inside, relu(a), is there."),
    ("abs(a + 10)", "a", "a.grad += out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("abs(a + 10)", "a", "a.grad += out.grad * out.data", "value for slope", "This takes the value for the slope."),
    ("abs(a*b)", "a", "s = sign(a*b)\na.grad += s * out.grad\nb.grad += s * a.data * out.grad", "inner derivative missing", "The derivative of what stands inside, a · b, is missing."),
    ("abs(a*b)", "b", "s = sign(a*b)\na.grad += s * b.data * out.grad\nb.grad += a.data * out.grad", "outer derivative missing", "Only the derivative of what stands inside, a · b, is there."),
    ("maximum(a, b)", "a", "a.grad += (b > a) * out.grad\nb.grad += (b > a) * out.grad", "other input's slope", "This belongs to b: the slots are swapped."),
    ("maximum(a, b)", "b", "self.grad += (self.data > other.data) * out.grad\nother.grad += out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("maximum(a*b, a + b)", "a", "big = a*b > a+b\na.grad += (a.data if big else 1) * out.grad\nb.grad += (a.data if big else 1) * out.grad", "other input's slope", "This belongs to b: the slots are swapped."),
    ("maximum(a, 2) * b", "a", "a.grad += b.data * out.grad\nb.grad += max(a, 2) * out.grad", "inner derivative missing", "The derivative of what stands inside, maximum(a, 2), is missing."),
    ("where_gt0(c, a, b)", "c", "c.grad += out.grad\na.grad += (c.data > 0) * out.grad\nb.grad += (c.data <= 0) * out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("where_gt0(c, a, b)", "a", "c.grad += 0\na.grad += (c.data <= 0) * out.grad\nb.grad += (c.data <= 0) * out.grad", "other input's slope", "This belongs to b: the slots are swapped."),
    ("where_gt0(a - 1, a**2, 2*a)", "a", "a.grad += (a.data**2 if a.data > 1 else 2 * a.data) * out.grad", "value for slope", "This takes the value for the slope."),
    ("gelu(a)", "a", "a.grad += out.data / a.data * out.grad", "product rule", "The term a * φ(a) of the slope is missing."),
    ("gelu(a)", "a", "a.grad += gelu(a.data)", "value for slope", "This is the value; a rule sends out.grad times the slope."),
    ("gelu(2*a)", "a", "t = 2 * a.data\nphi = math.exp(-t**2 / 2) / math.sqrt(2 * math.pi)\na.grad += (gelu(t) / t + t * phi) * out.grad", "inner derivative missing", "The derivative of what stands inside, 2 · a, is missing."),
    ("floor(a)", "a", "a.grad += out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("floor(a)", "a", "a.grad += math.floor(a.data) * out.grad", "value for slope", "This takes the value for the slope."),
    ("log(a*b - 5.9)", "a", "a.grad += 1 / (a*b - 5.9) * out.grad\nb.grad += a / (a*b - 5.9) * out.grad", "inner derivative missing", "The derivative of what stands inside, a · b − 5.9, is missing."),
    ("log(a*b - 5.9)", "b", "a.grad += b / (a*b - 5.9) * out.grad\nb.grad += b / (a*b - 5.9) * out.grad", "other input's slope", "This belongs to a: the slots are swapped."),
    ("log(1 + exp(a))", "a", "a.grad += out.grad / (1 + exp(a))", "inner derivative missing", "The derivative of what stands inside, 1 + exp(a), is missing."),
    ("a**4", "a", "a.grad += 4 * a.data**4 * out.grad", "exponent not lowered", "The power of a^4 is not lowered."),
    ("a**4", "a", "a.grad += a.data**3 * out.grad", "exponent not in front", "The exponent of a^4 does not stand in front."),
    ("a**0.5", "a", "a.grad += 0.5 * a.data**0.5 * out.grad", "exponent not lowered", "The power of a^0.5 is not lowered."),
    ("a**b", "a", "a.grad += b.data * a.data**b.data * out.grad\nb.grad += out*log(a)*out.grad", "exponent not lowered", "The power of a^b is not lowered."),
    ("a**b", "b", "a.grad += b*a**(b-1)*out.grad\nb.grad += out.data * out.grad", "value for slope", "This takes the value for the slope."),
    ("a**-1", "a", "a.grad += out.data**2 * out.grad", "minus lost", "The sign is turned."),
    ("(a*b + 1)**3", "a", "t = a*b + 1\na.grad += 3 * t**2 * out.grad\nb.grad += 3*t**2*a*out.grad", "inner derivative missing", "The derivative of what stands inside, a · b + 1, is missing."),
    ("(a*b + 1)**3", "b", "t = a*b + 1\na.grad += 3 * t**2 * b * out.grad\nb.grad += 3*t**3*a*out.grad", "exponent not lowered", "The power of (a · b + 1)^3 is not lowered."),
    ("a*a*b", "a", "a.grad += a*b*out.grad\nb.grad += a*a*out.grad", "halved", "This is half of it: a factor 2 is missing."),
    ("a/(a + b)", "a", "a.grad += out.grad / (a + b)\nb.grad -= a/(a+b)**2*out.grad", "product rule", "The term -(out / (a + b)) of the slope is missing."),
    ("a/(a + b)", "b", "a.grad += b/(a+b)**2*out.grad\nb.grad += a/(a+b)**2*out.grad", "minus lost", "The sign is turned."),
    ("a/(a + b)", "b", "a.grad += b/(a+b)**2*out.grad\nb.grad -= a/(a+b)*out.grad", "quotient rule", "The denominator is not squared."),
    ("a/b", "a", "self.grad += out.grad * other.data\nother.grad -= out.grad * self.data / other.data**2", "divided", "This divides by the slope; the chain rule multiplies."),
    ("a/b", "b", "self.grad += out.grad / other.data\nother.grad -= out.grad * self.data", "quotient rule", "The denominator is missing."),
    ("(a - b)/(a + b)", "b", "a.grad += 2*b / (a + b)**2 * out.grad\nb.grad += 2*a / (a + b)**2 * out.grad", "minus lost", "The sign is turned."),
    ("a*sigmoid(a)", "a", "a.grad += sigmoid(a.data) * out.grad", "product rule", "Only one term of the product rule is there."),
    ("a*sigmoid(a)", "a", "s = sigmoid(a)\na.grad += s * (1 - s) * out.grad", "product rule", "The slopes are multiplied; the product rule adds."),
    ("a*sigmoid(a)", "a", "s = sigmoid(a)\na.grad += (s - a*s*(1-s)) * out.grad", "minus lost", "The sign of the term a * (sigmoid(a) * (1 - sigmoid(a))) is turned."),
    ("tanh(a*b + c)", "a", "d = 1 - out**2\na.grad += d * b\nb.grad += d*a*out.grad\nc.grad += d*out.grad", "upstream forgotten", "This is the slope alone; multiply it by out.grad."),
    ("exp(-a**2)", "a", "a.grad += out * out.grad", "inner derivative missing", "The derivative of what stands inside, −a^2, is missing."),
    ("sqrt(a**2 + b**2)", "a", "a.grad += 1 / (2*out) * out.grad\nb.grad += b/out*out.grad", "inner derivative missing", "The derivative of what stands inside, a^2 + b^2, is missing."),
    ("sqrt(a**2 + b**2)", "b", "a.grad += a/out*out.grad\nb.grad += 2*b/out*out.grad", "doubled", "This is twice as much: a factor 2 is too many."),
    ("sin(a)*cos(a)", "a", "a.grad += -sin(a)*cos(a)*out.grad", "product rule", "The slopes are multiplied; the product rule adds."),
    ("sin(a)*cos(a)", "a", "a.grad += (cos(a)**2 + sin(a)**2)*out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("minimum(maximum(a, -1), 1)", "a", "a.grad += (a.data < 1) * out.grad", "inner derivative missing", "The derivative of what stands inside, maximum(a, −1), is missing."),
    ("minimum(maximum(a, -1), 1)", "a", "a.grad += out.grad", "local derivative forgotten", "This passes out.grad on as it is; the slope is missing."),
    ("bend(a) * b", "a", "a.grad += b.data * out.grad\nb.grad += bend(a)*out.grad", "inner derivative missing", "The derivative of what stands inside, bend(a), is missing."),
    ("a + b*exp(a)", "a", "a.grad += b*exp(a)*out.grad\nb.grad += exp(a)*out.grad", "product rule", "The term 1 of the slope is missing."),
    ("a - b", "b", "a.grad += out.grad\nb.grad += out.grad", "minus lost", "The sign is turned."),
    ("a*b", "a", "a.grad += (b + out.grad)\nb.grad += a*out.grad", "factors added", "out.grad is added; the chain rule multiplies."),
    ("a*b", "a", "a.grad += b*out.grad*out.grad\nb.grad += a*out.grad", "upstream twice", "out.grad is multiplied in twice."),
    ("a*b", "a", "a.grad += a*out.grad\nb.grad += b*out.grad", "own value", "This takes a itself for the slope."),
    ("exp(2*a)", "a", "a.grad += out*out.grad", "inner derivative missing", "The derivative of what stands inside, 2 · a, is missing."),
)  # fmt: skip
"""The formula, the slot, the rule, the idea behind it and what is said."""
REPAIRS = (
    ("relu(a - 3)", "a", "a.grad += (a.data > 0) * out.grad", "a.grad += (out.data > 0) * out.grad", "a stands where out belongs."),
    ("relu(a)**2", "a", "a.grad += 2 * a.data * out.grad", "a.grad += 2 * relu(a.data) * out.grad", "a stands where relu(a) belongs."),
    ("relu(a - 3)", "a", "d = out.grad if a.data > 3 else 0\na.grad += d if a.data < 60 else 7", "d = out.grad if a.data > 3 else 0\na.grad += d if out.grad < 60 else 7", "a stands where out.grad belongs."),
    ("abs(a + 10)", "a", "a.grad += out.grad * sign(a)", "a.grad += out.grad * sign(a + 10)", "a stands where a + 10 belongs."),
    ("maximum(a, b)", "a", "a.grad += (a.data > b.data) * a.data * out.grad\nb.grad += (b > a)*out.grad", "a.grad += (a.data > b.data) * out.grad\nb.grad += (b > a)*out.grad", "a does not belong there."),
    ("maximum(a, 2) * b", "b", "a.grad += (a.data > 2) * b.data * out.grad\nb.grad += a.data * out.grad", "a.grad += (a.data > 2) * b.data * out.grad\nb.grad += max(a, 2) * out.grad", "a stands where maximum(a, 2) belongs."),
    ("where_gt0(c, a, b)", "b", "c.grad += 0\na.grad += (c.data > 0) * out.grad\nb.grad += (c.data < -1) * out.grad", "c.grad += 0\na.grad += (c.data > 0) * out.grad\nb.grad += (c.data < -0) * out.grad", "The number 1 should be 0."),
    ("where_gt0(a - 1, a**2, 2*a)", "a", "a.grad += (2 * a.data if a.data > 0 else 2) * out.grad", "a.grad += (2 * a.data if a.data > 1 else 2) * out.grad", "The number 0 should be 1."),
    ("a * floor(a)", "a", "a.grad += (math.floor(a.data) + a.data) * out.grad", "a.grad += math.floor(a.data) * out.grad", "a does not belong there."),
    ("log(a*b - 5.9)", "b", "a.grad += b / (a*b - 5.9) * out.grad\nb.grad += a * (a*b - 5.9) * out.grad", "a.grad += b / (a*b - 5.9) * out.grad\nb.grad += a / (a*b - 5.9) * out.grad", "A * stands where a / belongs."),
    ("log(1 + exp(a))", "a", "a.grad += out.grad / (1 + exp(a.data)) * a.data", "a.grad += out.grad / (1 + exp(a.data)) * exp(a.data)", "a stands where exp(a) belongs."),
    ("a**4", "a", "a.grad += 3 * a.data**3 * out.grad", "a.grad += 4 * a.data**3 * out.grad", "The number 3 should be 4."),
    ("a**b", "b", "a.grad += b*a**(b-1)*out.grad\nb.grad += out.data * math.log(b.data) * out.grad", "a.grad += b*a**(b-1)*out.grad\nb.grad += out.data * math.log(a.data) * out.grad", "b stands where a belongs."),
    ("a*b*c", "b", "a.grad += b*c*out.grad\nb.grad += a*out.grad\nc.grad += a*b*out.grad", "a.grad += b*c*out.grad\nb.grad += a*c*out.grad\nc.grad += a*b*out.grad", "a is to be multiplied by c."),
    ("a*b*c", "c", "a.grad += b*c*out.grad\nb.grad += a*c*out.grad\nc.grad += (a+b)*out.grad", "a.grad += b*c*out.grad\nb.grad += a*c*out.grad\nc.grad += (a*b)*out.grad", "A + stands where a * belongs."),
    ("a*a*b", "b", "a.grad += 2*a*b*out.grad\nb.grad += 2*a*out.grad", "a.grad += 2*a*b*out.grad\nb.grad += a*a*out.grad", "2 stands where a belongs."),
    ("a*sigmoid(a)", "a", "s = sigmoid(a)\na.grad += (s + s*(1-s)) * out.grad", "s = sigmoid(a)\na.grad += (s + s*(a*(1-s))) * out.grad", "1 - sigmoid(a) is to be multiplied by a."),
    ("sigmoid(a*b)", "a", "a.grad += out.data * (1 + out.data) * b * out.grad\nb.grad += out*(1-out)*a*out.grad", "a.grad += out.data * (1 - out.data) * b * out.grad\nb.grad += out*(1-out)*a*out.grad", "A + stands where a - belongs."),
    ("sigmoid(a*b)", "b", "a.grad += out * (1 - out) * b * out.grad\nb.grad += (1-out)*a*out.grad", "a.grad += out * (1 - out) * b * out.grad\nb.grad += (out*(1-out))*a*out.grad", "1 - out is to be multiplied by out."),
    ("tanh(a*b + c)", "c", "d = 1 - out**2\na.grad += d*b*out.grad\nb.grad += d*a*out.grad\nc.grad += (1 - out)*out.grad", "d = 1 - out**2\na.grad += d*b*out.grad\nb.grad += d*a*out.grad\nc.grad += (1 - out**2)*out.grad", "out is to be squared."),
    ("tanh(a*b + c)", "c", "d = 1 - out**2\na.grad += d*b*out.grad\nb.grad += d*a*out.grad\nc.grad += d*c*out.grad", "d = 1 - out**2\na.grad += d*b*out.grad\nb.grad += d*a*out.grad\nc.grad += d*out.grad", "c does not belong there."),
    ("exp(-a**2)", "a", "a.grad += -2*a*exp(a)*out.grad", "a.grad += -2*a*exp(-a**2)*out.grad", "a stands where −a^2 belongs."),
    ("bend(a) * b", "b", "s=sigmoid(a)\na.grad += b.data * (s + a.data*s*(1-s)) * out.grad\nb.grad += a*out.grad", "s=sigmoid(a)\na.grad += b.data * (s + a.data*s*(1-s)) * out.grad\nb.grad += bend(a)*out.grad", "a stands where bend(a) belongs."),
)  # fmt: skip
"""The formula, the slot, the rule, the rule with one place mended and what is said."""
NUMBERS = (
    ("abs(a + 10)", "a", "a.grad += -out.grad", "At a = 2 and out.grad = −1.5 it sends 1.5, not −1.5."),
    ("log(a*b - 5.9)", "a", "a.grad += out.grad*30\nb.grad += a / (a*b - 5.9) * out.grad", "At a = 8.77, b = 8.2 and out.grad = 0.51 it sends 15.3, not 0.06335."),
    ("(a - b)/(a + b)", "a", "a.grad += 1 / (a + b)**2 * out.grad\nb.grad += -2*a / (a + b)**2 * out.grad", "At a = 2, b = 3 and out.grad = −1.5 it sends −0.06, not −0.36."),
    ("exp(2*a)", "a", "a.grad += 2*a*exp(2*a - 1)*out.grad", "At a = 2 and out.grad = −1.5 it sends −120.5, not −163.8."),
)  # fmt: skip
UNREAD = (
    ("a.grad += out.grad @ b", "Line 1: a rule can't hold out.grad @ b."),
    ("a.grad += (a > 0) & (b > 0)", "Line 1: a rule can't hold (a > 0) & (b > 0)."),
    ("a.grad += not a", "Line 1: a rule can't hold not a."),
    ("self = 3", "Line 1: self is no gradient of a slot; write a.grad or b.grad."),
    ("a.data += out.grad", "Line 1: a.data is no gradient of a slot; write a.grad or b.grad."),
    ("a.grad += True * out.grad", "Line 1: only numbers can stand in a rule."),
    ("a.grad += (x := 3)", "Line 1: a rule can't hold (x := 3)."),
    ("a.grad += exp(*[a])", "Line 1: a rule can't hold *[a]."),
    ("a.grad += math.exp.__class__(a)", "Line 1: __class__ is no function of formulas."),
    ("a.grad += math.inf", "Line 1: math.inf is no number of this node."),
    ("a.grad += t\nt = 1", "Line 1: t is no slot, and no name that was set."),
    ("a.grad += out.grad * b\0", "Line 1: it is not complete."),
    ("while True: pass", "Line 1: write a.grad += …"),
)  # fmt: skip
HOSTILE = (
    "a.grad += 9**9**9**9",
    "a.grad += 1e999 - 1e999",
    "a.grad += " + "9" * 180,
    "a.grad += 1e308 * 1e308 * out.grad",
    "a.grad += math.floor(1 / 0) * out.grad",
    "a.grad += " + "-" * 180 + "a",
    "a.grad += " + "(" * 90 + "a" + ")" * 90,
    "a.grad += " + "+".join("a" * 95),
    "a.grad += sin(" * 1 + "sin(" * 30 + "a" + ")" * 31,
    "t = " + "-" * 190 + "a" + ("\nt = " + "-" * 9 + "t") * 4 + "\na.grad += t",
    "t = a*a\n" + "t = t*t\n" * 6 + "a.grad += t",
)
POINTLESS = ("abs(a - a)", "log(-abs(a))", "sqrt(-a*a - 1)", "1/(a - a)")


def verdicts(formula: str, rule: str, seed: int = 0) -> dict[str, Verdict]:
    found = judge(own_operation("mine", formula, "", (BEND,)), rule, (BEND,), seed)
    return {each.slot: each for each in found}


@in_turn(("formula", "rule"), RIGHT)
def test_a_right_rule_is_right_at_the_points_of_every_seed(formula: str, rule: str):
    for seed in (0, 1, 56):
        assert {each.says for each in verdicts(formula, rule, seed).values()} == {
            f"Right along {slot}." for slot in verdicts(formula, rule, seed)
        }


@in_turn(("formula", "slot", "rule", "belief", "says"), BELIEFS)
def test_a_wrong_idea_is_recognized_in_nested_formulas(
    formula: str, slot: str, rule: str, belief: str, says: str
):
    found = verdicts(formula, rule)[slot]
    assert (found.kind, found.belief, found.says) == ("wrong", belief, says)
    assert verdicts(formula, rule, 7)[slot].says == says


@in_turn(("formula", "slot", "rule", "mended", "says"), REPAIRS)
def test_the_repair_that_is_named_makes_the_rule_right(
    formula: str, slot: str, rule: str, mended: str, says: str
):
    found = verdicts(formula, rule)[slot]
    assert (found.kind, found.belief, found.says) == ("wrong", "one place", says)
    assert verdicts(formula, mended)[slot].kind == "right"


@in_turn(("formula", "slot", "rule", "says"), NUMBERS)
def test_where_no_idea_and_no_repair_fits_the_numbers_are_told(
    formula: str, slot: str, rule: str, says: str
):
    found = verdicts(formula, rule)[slot]
    assert (found.kind, found.belief, found.says) == ("wrong", "", says)


@in_turn(("rule", "says"), UNREAD)
def test_what_no_formula_holds_is_refused_in_one_sentence(rule: str, says: str):
    found = verdicts("a*b", rule)["a"]
    assert (found.kind, found.says) == ("can't be read", says)


@in_turn("rule", HOSTILE)
def test_huge_and_deep_rules_are_wrong_and_nothing_worse(rule: str):
    found = verdicts("a*b", rule)["a"]
    assert found.kind == "wrong"
    assert len(found.says) < 100


@in_turn("formula", POINTLESS)
def test_a_formula_without_points_is_told_in_one_sentence(formula: str):
    found = verdicts(formula, "out.grad")["a"]
    assert found.kind == "can't tell"
    assert found.says == "The formula has no value or no slope at any of the points tried."
