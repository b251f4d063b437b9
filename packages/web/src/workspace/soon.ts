// Work that many events ask for, done once shortly after the first of them.

export function soon(milliseconds: number, action: () => void): () => void {
  let isPlanned = false;
  return () => {
    if (isPlanned) return;
    isPlanned = true;
    setTimeout(() => {
      isPlanned = false;
      action();
    }, milliseconds);
  };
}
