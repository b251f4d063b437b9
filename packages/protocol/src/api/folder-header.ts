// Documents are numbered anew in each folder, so a request can name the folder that its numbers belong to. A server of
// another folder refuses it (`other_folder`) before it changes anything.

export const folderHeader = "stet-root";

/** A folder as that header's value: percent-encoded, because a path may hold what a header may not. */
export function folderHeaderValue(root: string): string {
  return encodeURIComponent(root.toWellFormed());
}
