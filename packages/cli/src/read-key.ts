// One key from the keyboard, without Enter. Undefined at the end of the input and for Ctrl-C.

import type { KeySource } from "./terminal.ts";

export function readKey(stdin: KeySource): Promise<string | undefined> {
  return new Promise((resolve) => {
    const wasRaw = stdin.isRaw === true;
    if (stdin.isTTY) stdin.setRawMode?.(true);
    const end = (key: string | undefined) => {
      stdin.off("data", onData);
      stdin.off("end", onEnd);
      if (stdin.isTTY) stdin.setRawMode?.(wasRaw);
      stdin.pause();
      resolve(key);
    };
    const onData = (data: Buffer) => {
      const key = data.toString("utf8")[0];
      end(key === "\u0003" || key === "\u0004" ? undefined : key);
    };
    const onEnd = () => end(undefined);
    stdin.on("data", onData);
    stdin.on("end", onEnd);
    stdin.resume();
  });
}
