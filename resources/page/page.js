"use strict";
/* The page: shows the steps of a `PageData`, asks, judges, and keeps a record. No network.

   Everything that is said and every right number come from the block of data, packed JSON; app/takeaway/page_data.py
   describes its fields, states and the order of judging. The script is this file and the parts beside
   it, joined in the order that app/takeaway/html_page.py lists; each begins with its idea. */

const page = JSON.parse(unpacked(document.getElementById("data").textContent));
for (const question of page.steps.flatMap(({ questions }) => questions ?? [])) Object.assign(question, (page.shared ?? [])[question.like]);
const pageElement = document.getElementById("page");

/** Return the text of a raw deflate in base 64, all of whose blocks have fixed codes: RFC 1951, 3.2.6. */
function unpacked(block) {
  const END = 256, bytes = Uint8Array.from(atob(block), (sign) => sign.charCodeAt(0)), out = [];
  let at = 0; // in bits
  const bit = () => {
    at += 1;
    return (bytes[(at - 1) >> 3] >> ((at - 1) & 7)) & 1;
  };
  const number = (bits) => {
    let found = 0;
    for (let k = 0; k < bits; k += 1) found |= bit() << k;
    return found;
  };
  const code = (bits, before) => { // the other way round
    let found = before;
    for (let k = 0; k < bits; k += 1) found = (found << 1) | bit();
    return found;
  };
  const symbol = () => {
    const seven = code(7, 0);
    if (seven < 24) return END + seven;
    const eight = code(1, seven);
    if (eight < 192) return eight - 48;
    return eight < 200 ? 280 + eight - 192 : 144 + code(1, eight) - 400;
  };
  const lengthOf = (k) => (k < 8 ? k + 3 : k === 28 ? 258 : 3 + ((4 + (k & 3)) << ((k >> 2) - 1)) + number((k >> 2) - 1));
  const distanceOf = (k) => (k < 4 ? k + 1 : 1 + ((2 + (k & 1)) << ((k >> 1) - 1)) + number((k >> 1) - 1));
  for (let isLast = false; !isLast;) {
    isLast = bit() === 1;
    number(2); // the kind of block
    for (let found = symbol(); found !== END; found = symbol()) {
      if (found < END) out.push(found);
      else for (let rest = lengthOf(found - END - 1), distance = distanceOf(code(5, 0)); rest > 0; rest -= 1) out.push(out[out.length - distance]);
    }
  }
  return new TextDecoder().decode(Uint8Array.from(out));
}
