// credentials.json in the data folder: which keys there are, in the order in which they take turns, and, for those that no
// keychain keeps, the keys themselves. Only the account that it belongs to may read it. Written whole, one process at a time.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt, errnoCode } from "@stet/protocol/system-fault";
import { narrow } from "@stet/storage/private-files";
import * as z from "zod";

export interface KeyRecord {
  readonly id: string;
  readonly provider: string;
  readonly keptIn: "keychain" | "file";
  readonly addedAt: string;
  /** The origin that it was tested with; it is sent nowhere else. */
  readonly origin?: string | undefined;
  /** A key as it was typed, several secret options as JSON, or what an OAuth login returned. */
  readonly form: "key" | "options" | "oauth";
  /** Only where no keychain keeps it. */
  readonly secret?: string | undefined;
}

/** Built when there is a file. */
function contentSchema() {
  const key = z.object({
    id: z.string(),
    provider: z.string(),
    keptIn: z.enum(["keychain", "file"]),
    addedAt: z.string(),
    origin: z.string().optional(),
    form: z.enum(["key", "options", "oauth"]),
    secret: z.string().optional(),
  });
  return z.object({ version: z.literal(1), keys: z.array(key) });
}

export function keyFilePath(dataFolder: string): string {
  return join(dataFolder, "credentials.json");
}

export function readKeys(dataFolder: string): readonly KeyRecord[] | Fault {
  const path = keyFilePath(dataFolder);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    return errnoCode(error) === "ENOENT" ? [] : unusable(path, "it cannot be read");
  }
  // Somebody may have copied it with other rights.
  const narrowed = attempt("made private", path, () => narrow(path));
  if (isFault(narrowed)) return narrowed;
  try {
    const parsed = contentSchema().safeParse(JSON.parse(text));
    return parsed.success ? parsed.data.keys : unusable(path, "it has another form than this version writes");
  } catch {
    return unusable(path, "it is not valid JSON");
  }
}

function unusable(path: string, reason: string): Fault {
  return new Fault(
    "store_damaged",
    `The file of kept keys ${path} cannot be used: ${reason}.`,
    "Move it aside and log in again; keys of environment variables go on working.",
    { path },
  );
}
