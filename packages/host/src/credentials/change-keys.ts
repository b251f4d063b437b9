// Changes the file of kept keys: written whole, by one process at a time.

import { type Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { whileLocked } from "@stet/session/append-lock";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";
import { type KeyRecord, keyFilePath, readKeys } from "./key-file.ts";

/** `change` gets the keys as they are now, also from another process, and returns them as they shall be. */
export function changeKeys(
  dataFolder: string,
  change: (keys: readonly KeyRecord[]) => readonly KeyRecord[],
): readonly KeyRecord[] | Fault {
  const path = keyFilePath(dataFolder);
  const made = attempt("created", dataFolder, () => makeDurableFolder(dataFolder));
  if (isFault(made)) return made;
  return whileLocked(dataFolder, () => {
    const before = readKeys(dataFolder);
    if (isFault(before)) return before;
    const keys = change(before);
    const text = `${JSON.stringify({ version: 1, keys }, undefined, 2)}\n`;
    const written = attempt("written", path, () =>
      replaceFile(path, `${path}.${process.pid}.new`, (file) => writeAll(file, Buffer.from(text))),
    );
    return isFault(written) ? written : keys;
  });
}
