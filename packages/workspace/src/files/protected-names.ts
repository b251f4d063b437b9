// Names that belong to git and to Stet, in every disguise under which some file system takes them for the real
// one: upper case, trailing dots and spaces (Windows), short names and streams (NTFS), invisible code points
// (HFS+, case-folding ext4), compatibility lookalikes. It errs on the side of refusing: a disguise is refused on
// every system, because the folder may be synced to another.

const protectedNames = new Set([".git", ".stet"]);

// `.git` is "GIT~1" where NTFS or FAT keeps 8.3 names.
const shortName = /^(git|stet)~\d+$/;

const printable = /^[ -~]*$/;

const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** A name as the most forgiving file system would compare it. */
export function foldName(name: string): string {
  if (printable.test(name)) return name.toLowerCase();
  const visible = name.replace(ignorable, "").normalize("NFKC").replace(ignorable, "");
  // Upper case first: it folds letters such as the dotless i, which lower case leaves alone.
  return visible.toUpperCase().toLowerCase();
}

/** Whether one segment of a path names, or could be taken for, a protected folder or file. */
export function isProtectedName(segment: string): boolean {
  // Folding may bring forth separators (fullwidth slash), so that one segment turns into several.
  return foldName(segment)
    .split(/[\\/]/)
    .some((part) => {
      const name = part.replace(/:.*$/s, "").replace(/[. ]+$/, "");
      return protectedNames.has(name) || shortName.test(name);
    });
}

/** What a journaled write lays beside its target for a moment. */
export function isOwnFile(name: string): boolean {
  return /^\.stet-.*\.(tmp|old)$/i.test(name);
}
