// Lists that are made anew with each answer of the server keep the objects of what did not change. A list draws a row for each
// object: so the row on the screen stays, with its selection and its focus, and a click that is under way is not lost.

export function keepingSame<T extends { readonly key: string }>(
  before: readonly T[],
  next: readonly T[],
): readonly T[] {
  const known = new Map(before.map((item) => [item.key, item]));
  return next.map((item) => {
    const other = known.get(item.key);
    return other !== undefined && JSON.stringify(other) === JSON.stringify(item) ? other : item;
  });
}
