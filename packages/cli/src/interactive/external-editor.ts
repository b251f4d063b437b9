// The person's own editor, for a text: a private file that the editor is opened with, and what it holds when the editor ends.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { visibleName } from "@stet/protocol/visible";
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
    // A line that is not ended would be joined by what an editor adds below it.
    writePrivateFile(path, text === "" || text.endsWith("\n") ? text : `${text}\n`);
    // Through a shell, because it may have arguments: `code --wait`.
    const words = ["-c", `${editor} "$1"`, "sh", path];
    const child = spawn("/bin/sh", words, { stdio: "inherit", env: environment });
    const failure = await endOf(child, editor);
    if (failure !== undefined) return failure;
    const written = attempt("read", path, () => readFileSync(path, "utf8"));
    if (isFault(written) || text.endsWith("\n")) return written;
    return written.replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Ctrl-C is the editor's while it has the terminal. */
async function endOf(child: ChildProcess, editor: string): Promise<Fault | undefined> {
  const ignore = (): void => {};
  process.on("SIGINT", ignore);
  child.once("error", () => {});
  const [code] = await once(child, "close").catch(() => [1]);
  process.off("SIGINT", ignore);
  if (code === 0) return undefined;
  const why =
    code === 127 ? "there is no such program" : code === null ? "it was ended" : `it ended with ${code}`;
  return new Fault(
    "command_failed",
    `The editor ${visibleName(editor)} did not work: ${why}.`,
    "The text is as it was. VISUAL and EDITOR say which editor is used.",
  );
}
