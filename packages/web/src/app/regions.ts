// F6 goes from one part of the window to the next: the panel, the editor, the agent, the status. Back in a part, the focus
// is where it was there.

const order = ["panel", "editor", "agent", "status"];
const focusable =
  'button:not(:disabled):not([tabindex="-1"]), input:not(:disabled), textarea:not(:disabled), select, a[href], [tabindex="0"], [contenteditable="true"]';
/** What one wants in a part, before the first button of it. */
const wanted = '.cm-content, [role="tree"], [role="listbox"], textarea';

const latest = new Map<string, HTMLElement>();

export function rememberFocus(event: FocusEvent): void {
  if (!(event.target instanceof HTMLElement)) return;
  const region = event.target.closest<HTMLElement>("[data-region]")?.dataset.region;
  if (region !== undefined) latest.set(region, event.target);
}

export function focusRegion(name: string): boolean {
  const region = document.querySelector<HTMLElement>(`[data-region="${name}"]`);
  if (region === null || region.getClientRects().length === 0) return false;
  const before = latest.get(name);
  const places = [
    ...(before?.isConnected && region.contains(before) ? [before] : []),
    ...region.querySelectorAll<HTMLElement>(wanted),
    ...region.querySelectorAll<HTMLElement>(focusable),
  ];
  const place = places.find((element) => element.getClientRects().length > 0);
  place?.focus();
  return place !== undefined;
}

export function goRegion(by: 1 | -1): void {
  const current = document.activeElement?.closest<HTMLElement>("[data-region]")?.dataset.region;
  for (const name of regionsAfter(order, current, by)) if (focusRegion(name)) return;
}

/** All of them, in the order in which they are tried. */
export function regionsAfter(names: readonly string[], current: string | undefined, by: 1 | -1): string[] {
  const at = current === undefined ? (by > 0 ? -1 : 0) : names.indexOf(current);
  return names.map((_, step) => names[(at + by * (step + 1) + 2 * names.length) % names.length] ?? "");
}
