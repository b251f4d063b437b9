// From the field of a search to its first result, also where that is still on its way: a list hides rows until it has measured
// them, and what is hidden cannot be focused.

/** Whoever types on, or goes elsewhere, does not want to be taken to it any more. */
export function goToFirstResult(panel: HTMLElement, field: HTMLElement): void {
  const first = () => panel.querySelector<HTMLElement>(".search-results button");
  first()?.focus();
  if (document.activeElement !== field) return;
  const arrivals = new MutationObserver(() => first()?.focus());
  arrivals.observe(panel, { childList: true, attributes: true, subtree: true });
  const forget = new AbortController();
  forget.signal.addEventListener("abort", () => arrivals.disconnect());
  for (const event of ["input", "keydown", "blur"])
    field.addEventListener(event, () => forget.abort(), { signal: forget.signal });
}
