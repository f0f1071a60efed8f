/* Normal distribution: what gelu needs besides functions.js.

   erf is after s_erf.c of fdlibm, whose notice is:
   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun
   Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is freely
   granted, provided that this notice is preserved. */

/** Return the probability that a standard normal variable is below a. */
const normalBelow = (a) => 0.5 * (1 + erf(a * sqrt(0.5)));
/** Return the slope of `normalBelow`, the bell curve. */
const normalDensity = (a) => exp(-0.5 * (a * a)) / sqrt(2 * Math.PI);

/** Return the polynomial with these coefficients, that of the constant first. */
const horner = (x, ...c) => c.reduceRight((sum, each) => each + x * sum, 0);

const HALVES = new Float64Array(1), WORDS = new Uint32Array(HALVES.buffer); // little-endian

/** Return the error function: rational functions on five pieces, with the digits of the C library. */
function erf(x) {
  const a = abs(x);
  if (!(a < Infinity)) return Number.isNaN(x) ? x : sign(x);
  if (a < 0.84375) {
    if (a < 2 ** -28) return x + 1.28379167095512586316e-1 * x;
    const z = x * x;
    const r = horner(z, 1.28379167095512558561e-1, -3.25042107247001499370e-1, -2.84817495755985104766e-2, -5.77027029648944159157e-3, -2.37630166566501626084e-5);
    const s = horner(z, 1, 3.97917223959155352819e-1, 6.50222499887672944485e-2, 5.08130628187576562776e-3, 1.32494738004321644526e-4, -3.96022827877536812320e-6);
    return x + x * (r / s);
  }
  if (a < 1.25) {
    const s = a - 1;
    const p = horner(s, -2.36211856075265944077e-3, 4.14856118683748331666e-1, -3.72207876035701323847e-1, 3.18346619901161753674e-1, -1.10894694282396677476e-1, 3.54783043256182359371e-2, -2.16637559486879084300e-3);
    const q = horner(s, 1, 1.06420880400844228286e-1, 5.40397917702171048937e-1, 7.18286544141962662868e-2, 1.26171219808761642112e-1, 1.36370839120290507362e-2, 1.19844998467991074170e-2);
    return sign(x) * (8.45062911510467529297e-1 + p / q);
  }
  if (a >= 6) return sign(x);
  const s = 1 / (a * a);
  const [r, q] = a < 1 / 0.35
    ? [horner(s, -9.86494403484714822705e-3, -6.93858572707181764372e-1, -1.05586262253232909814e1, -6.23753324503260060396e1, -1.62396669462573470355e2, -1.84605092906711035994e2, -8.12874355063065934246e1, -9.81432934416914548592),
       horner(s, 1, 1.96512716674392571292e1, 1.37657754143519042600e2, 4.34565877475229228821e2, 6.45387271733267880336e2, 4.29008140027567833386e2, 1.08635005541779435134e2, 6.57024977031928170135, -6.04244152148580987438e-2)]
    : [horner(s, -9.86494292470009928597e-3, -7.99283237680523006574e-1, -1.77579549177547519889e1, -1.60636384855821916062e2, -6.37566443368389627722e2, -1.02509513161107724954e3, -4.83519191608651397019e2),
       horner(s, 1, 3.03380607434824582924e1, 3.25792512996573918826e2, 1.53672958608443695994e3, 3.19985821950859553908e3, 2.55305040643316442583e3, 4.74528541206955367215e2, -2.24409524465858183362e1)];
  HALVES[0] = a;
  WORDS[0] = 0; // z is a with the lower half of its digits cut
  const z = HALVES[0];
  return sign(x) * (1 - (exp(-z * z - 0.5625) * exp((z - a) * (z + a) + r / q)) / a);
}
