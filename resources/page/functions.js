/* Functions: those that formulas of operations call, as in engine/writers.py, FLOAT_FUNCTIONS.

   JavaScript's arithmetic is IEEE 754 as it stands: 1 / 0 is Infinity and Math.log(-1) is NaN, so only
   what differs from the engine is written here. Chromium's exp, log and sin are Python's to the last bit;
   each tenth exp of Firefox differs in it, which texts show where nearly all of a number cancels. */

const { exp, expm1, log, log1p, sqrt, abs, floor, sin, cos, tan, asin, acos, atan, tanh } = Math;
const SIGMOID_ZERO_BELOW = -709.782712893384; // below it, exp(-a) overflows

/** Return a to the power b; of 1, and of -1 to ±∞, it is 1 in IEEE 754, where JavaScript says NaN. */
const pow = (a, b) => (a === 1 || (a === -1 && abs(b) === Infinity) ? 1 : a ** b);

/** Return -1, 0 or 1; 0 for NaN. */
const sign = (a) => (a > 0 ? 1 : a < 0 ? -1 : 0);

/** Return 1 / (1 + e⁻ᵃ), split by sign so that the exponential never overflows. */
function sigmoid(a) {
  if (a >= 0) return 1 / (1 + exp(-a));
  const e = exp(a);
  return a < SIGMOID_ZERO_BELOW ? 0 : e / (1 + e);
}
