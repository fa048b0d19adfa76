// The choices of a person: a button for each legal action, in words.
"use strict";

const Choices = (() => {
  const { el } = Tables;

  // An action as a person reads it: a card is drawn, all else is told.
  const face = (action, telling) => (Cards.isCard(action) ? Cards.chip(action)
    : telling.line(action));

  // `choose(action)` is called once, with the action of the button that was pressed.
  const show = (element, legal, telling, choose) => {
    const buttons = legal.map((action) => el("button", { type: "button", "data-action": action },
      face(action, telling)));
    for (const button of buttons) {
      button.addEventListener("click", () => {
        for (const each of buttons) each.disabled = true;
        choose(button.dataset.action);
      });
    }
    const hadFocus = element.contains(document.activeElement) ||
      document.activeElement === document.body;
    element.replaceChildren(...buttons);
    if (hadFocus && element.dataset.keys === "true") buttons[0]?.focus();
  };

  const clear = (element) => {
    // Who chose by the keyboard goes on by it.
    element.dataset.keys = String(Boolean(element.querySelector("button:focus-visible")) ||
      element.dataset.keys === "true");
    element.replaceChildren();
  };

  return { show, clear };
})();
