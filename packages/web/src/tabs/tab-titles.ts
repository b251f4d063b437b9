// What a tab is called: its title, and as much of its folder as tells it from others of the same title.

export interface TabName {
  readonly title: string;
  readonly path: string | null;
}

/** For each tab, the folder to show beside its title; "" where the title is enough. */
export function folderHints(tabs: readonly TabName[]): string[] {
  return tabs.map((tab, index) => {
    const others = tabs.filter((other, place) => place !== index && other.title === tab.title);
    if (others.length === 0 || tab.path === null) return "";
    const parts = tab.path.split("/").slice(0, -1);
    for (let count = 1; count <= parts.length; count += 1) {
      const hint = parts.slice(-count).join("/");
      if (others.every(({ path }) => !endsWith(path, hint))) return hint;
    }
    return parts.length === 0 ? "." : parts.join("/");
  });
}

function endsWith(path: string | null, folder: string): boolean {
  if (path === null) return false;
  const above = path.split("/").slice(0, -1).join("/");
  return above === folder || above.endsWith(`/${folder}`);
}

/** Where a tab goes that is dropped before another; both from 0, `before` may be one past the last. */
export function placeAfterDrop(from: number, before: number): number {
  return before > from ? before - 1 : before;
}

/** A title for a new document that no tab has yet. */
export function untitled(titles: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const title = number === 1 ? "Untitled" : `Untitled ${number}`;
    if (!titles.includes(title)) return title;
  }
}
