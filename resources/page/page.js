"use strict";
/* The page: shows the steps of a `PageData`, asks, judges, and keeps a record. No network.

   Everything that is said and every right number come from the JSON block; app/takeaway/page_data.py
   describes its fields, states and the order of judging. The script is this file and the parts beside
   it, joined in the order that app/takeaway/html_page.py lists; each begins with its idea. */

const page = JSON.parse(document.getElementById("data").textContent);
const pageElement = document.getElementById("page");
