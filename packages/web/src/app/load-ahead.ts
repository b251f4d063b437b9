// Parts of the page that are not in its first picture, and are wanted most where Stet may have gone away meanwhile: loaded once
// the browser has nothing else to do, so that opening one does not need the server.

const parts = [() => import("../models/model-dialog.tsx"), () => import("../models/model-picker-panel.tsx")];

/** How long it waits at most, in milliseconds. */
const timeout = 5000;

/** What stops it. */
export function loadAhead(): () => void {
  // Without the server there is nothing to load; whoever opens a part asks again.
  const load = () => Promise.all(parts.map((part) => part().catch(() => undefined)));
  if (typeof requestIdleCallback !== "function") {
    const timer = setTimeout(load, timeout);
    return () => clearTimeout(timer);
  }
  const idle = requestIdleCallback(load, { timeout });
  return () => cancelIdleCallback(idle);
}
