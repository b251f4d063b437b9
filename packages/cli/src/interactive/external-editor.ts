// The person's own editor, for a text: a private file that the editor is opened with, and what it holds when the editor ends.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { writePrivateFile } from "@stet/storage/private-files";

export async function editInEditor(
  text: string,
  name: string,
  environment: NodeJS.ProcessEnv,
): Promise<string | Fault> {
  const editor = environment.VISUAL || environment.EDITOR;
  if (!editor)
    return new Fault(
      "invalid_arguments",
      "No editor is set.",
      "Set VISUAL or EDITOR to the one that you use.",
    );
  const folder = mkdtempSync(join(tmpdir(), "stet-edit-"));
  try {
    const path = join(folder, basename(name) || "text.md");
    writePrivateFile(path, text);
    // Through a shell, because it may have arguments: `code --wait`.
    const words = ["-c", `${editor} "$1"`, "sh", path];
    const child = spawn("/bin/sh", words, { stdio: "inherit", env: environment });
    child.once("error", () => {});
    const [code] = await once(child, "close").catch(() => [1]);
    if (code !== 0)
      return new Fault("io_failed", `The editor ${editor} ended with ${code}.`, "The text is as it was.");
    const written = attempt("read", path, () => readFileSync(path, "utf8"));
    return isFault(written) ? written : written.replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
