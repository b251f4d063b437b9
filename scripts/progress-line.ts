// One line of progress that is written over again and again, where somebody watches: in a log it would be noise.

export interface ProgressLine {
  show(text: string): void;
  clear(): void;
}

export function progressLine(
  screen: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
): ProgressLine {
  const write = (text: string) => {
    if (screen.isTTY === true) screen.write(`\r\u001b[K${text}`);
  };
  return { show: write, clear: () => write("") };
}
