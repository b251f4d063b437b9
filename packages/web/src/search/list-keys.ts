// Arrows go from one button of a list to the next, and from the first one back to the field.

export function listKeys(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("button.search-line")];
  const focused = document.activeElement;
  const at = focused instanceof HTMLElement ? buttons.indexOf(focused) : -1;
  const isFirst = at <= 0 && event.key === "ArrowUp";
  const next = isFirst
    ? document.querySelector<HTMLElement>("[data-search-field]")
    : buttons[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (next == null) return;
  event.preventDefault();
  next.focus();
  next.scrollIntoView({ block: "nearest" });
}
