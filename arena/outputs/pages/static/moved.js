// Leads from the address that a match had before to the one that it has now, at the same moment.
"use strict";

(() => {
  const moment = location.hash.slice(1);
  const address = document.getElementById("moved").href;
  location.replace(moment ? `${address}&${moment}` : address);
})();
