// How many changes a turn made, in words.

export function turnWords(files: number, open: number, decided: number): string {
  const where = files === 1 ? "one file" : `${files} files`;
  if (open === 0) return files === 0 ? "Everything is decided." : `Changed ${where}. Everything is decided.`;
  const all = open + decided;
  const changes = all === 1 ? "1 change" : `${all} changes`;
  const left = decided === 0 ? "" : `, ${open} left to decide`;
  return `Proposed ${changes}${files === 0 ? "" : ` in ${where}`}${left}`;
}

export function decisionWords(verdict: "accepted" | "rejected", hunks: number): string {
  return `You ${verdict} ${hunks === 1 ? "1 change" : `${hunks} changes`}.`;
}
