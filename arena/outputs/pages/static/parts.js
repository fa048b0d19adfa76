// What scripts add to a page: each part once to the page as it came, and again to each fresh copy
// of it before that takes the place of the page (refresh.js). So a part changes nothing but the
// element that it is given, keeps what its reader chose in variables, and listens at the document.
"use strict";

const Parts = (() => {
  const all = [];

  return {
    add(prepare) {
      all.push(prepare);
      prepare(document.getElementById("main"));
    },
    prepare(root) {
      for (const each of all) each(root);
    },
  };
})();
