// A folder with a workspace in which cases happen one after the other, each in a file of its own. After some hundred cases
// another folder is begun, so that what earlier ones left behind slows nobody down.
//
// Some cases have a past: a turn has edited the file when it was another one, that process has ended, and another program
// has written the file since. What is kept of the past must not be taken for the file.

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { must } from "../../../packages/testkit/src/workspace.ts";
import { Workspace } from "../../../packages/workspace/src/workspace.ts";
import type { Case } from "../cases.ts";
import { renderFile } from "../file-text.ts";

const casesPerFolder = 200;
/** Which cases have a past. */
const pastEvery = 6;
/** In memory where there is such a place: what is measured is not the disk. */
const inMemory = "/dev/shm";

export interface CaseFile {
  readonly workspace: Workspace;
  /** From the root. */
  readonly path: string;
  readonly absolute: string;
}

export class CaseFolder {
  #folder: string | undefined;
  #workspace: Workspace | undefined;
  #count = 0;

  /** The file of a case as it is when the model sees it. */
  async place({ source, seen, index }: Pick<Case, "source" | "seen" | "index">): Promise<CaseFile> {
    if (this.#count >= casesPerFolder) this.close();
    this.#count += 1;
    const path = `case-${this.#count}${extname(source.name)}`;
    const { root } = await this.#opened();
    const absolute = join(root, path);
    if (index % pastEvery === 0 && seen.lines.length > 4) {
      writeFileSync(absolute, renderFile({ ...seen, lines: seen.lines.slice(2) }));
      await this.#editOnce(path);
    }
    writeFileSync(absolute, renderFile(seen));
    const { workspace } = await this.#opened();
    return { workspace, path, absolute };
  }

  /** A turn of a process that has ended since. */
  async #editOnce(path: string): Promise<void> {
    const { workspace } = await this.#opened();
    const { id } = must(workspace.documents.open(path));
    const turn = workspace.beginTurn({ summary: "long ago", isImmediate: true });
    const { revision } = must(turn.read(id));
    const edits = [{ op: "insert", after: 1, content: "edited long ago\n" } as const];
    must(turn.edit(id, { revision, policy: { kind: "strict" }, edits }));
    must(await workspace.commitTurn(turn));
    must(workspace.review.accept("everything"));
    workspace.close();
    this.#workspace = undefined;
  }

  async #opened(): Promise<{ root: string; workspace: Workspace }> {
    this.#folder ??= realpathSync(
      mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), "stet-integrity-")),
    );
    const root = join(this.#folder, "root");
    mkdirSync(root, { recursive: true });
    this.#workspace ??= must(await Workspace.open(root, { dataFolder: join(this.#folder, "data") }));
    return { root, workspace: this.#workspace };
  }

  close(): void {
    this.#workspace?.close();
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
    this.#workspace = undefined;
    this.#folder = undefined;
    this.#count = 0;
  }
}
