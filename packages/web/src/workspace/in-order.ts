// Questions that are asked again and again. An answer to an earlier one that arrives after that to a later one tells of what
// was, and must not be shown.

/** To be called with each question; what it returns tells, when the answer is there, whether a newer one was shown already. */
export function inOrder(): () => () => boolean {
  let asked = 0;
  let shown = 0;
  return () => {
    asked += 1;
    const own = asked;
    return () => {
      if (own < shown) return true;
      shown = own;
      return false;
    };
  };
}
