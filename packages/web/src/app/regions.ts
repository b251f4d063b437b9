// F6 goes from one part of the window to the next: the panel, the editor, the agent, the status. Back in a part, the focus
// is where it was there.

const order = ["panel", "editor", "agent", "status"];
const focusable =
  'button:not(:disabled):not([tabindex="-1"]), input:not(:disabled), textarea:not(:disabled), select, a[href], [tabindex="0"], [contenteditable="true"]';
/** What one wants in a part, before the first button of it. */
const wanted = '.cm-content, [role="tree"], [role="listbox"], textarea';

const latest = new Map<string, HTMLElement>();

export function rememberFocus(event: FocusEvent): void {
  // The edge of a panel is no place to come back to.
  if (!(event.target instanceof HTMLElement) || event.target.role === "separator") return;
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
  const place = places.find((element) => element.role !== "separator" && element.getClientRects().length > 0);
  place?.focus();
  return place !== undefined;
}

/** Frames in which a part that is loaded first is waited for. */
const maxFrames = 60;

/** As soon as it is there, unless the person has gone somewhere else by then. */
function focusRegionSoon(name: string, from = document.activeElement, frames = maxFrames): void {
  requestAnimationFrame(() => {
    const { activeElement, body } = document;
    if (activeElement !== from && activeElement !== body) return;
    if (!focusRegion(name) && frames > 0) focusRegionSoon(name, from, frames - 1);
  });
}

/** Shows or hides a part by key: the focus goes into what appears, and to the text from what goes. */
export function toggleRegion(name: string, toggle: () => void): void {
  const shown = () => document.querySelector(`[data-region="${name}"]`)?.ariaLabel ?? undefined;
  const hadFocus = document.activeElement?.closest(`[data-region="${name}"]`) != null;
  const before = shown();
  toggle();
  const now = shown();
  if (now !== undefined && now !== before) focusRegionSoon(name);
  else if (now === undefined && hadFocus) focusRegionSoon("editor");
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
