// A folder with a workspace in which cases happen one after the other, each in a file of its own. After some hundred cases
// another folder is begun, so that what earlier ones left behind slows nobody down.

import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { must } from "../../../packages/testkit/src/workspace.ts";
import { Workspace } from "../../../packages/workspace/src/workspace.ts";
import type { Case } from "../cases.ts";
import { renderFile } from "../file-text.ts";

const casesPerFolder = 200;
/** In memory where there is such a place: what is measured is not the disk. */
const inMemory = "/dev/shm";

export interface CaseFile {
  readonly workspace: Workspace;
  /** From the root. */
  readonly path: string;
  readonly absolute: string;
}

export class CaseFolder {
  private folder: string | undefined;
  private workspace: Workspace | undefined;
  private count = 0;

  /** The file of a case as it is when the model sees it. */
  async place({ source, seen }: Pick<Case, "source" | "seen">): Promise<CaseFile> {
    if (this.count >= casesPerFolder) this.close();
    this.count += 1;
    const path = `case-${this.count}${extname(source.name)}`;
    const { root, workspace } = await this.opened();
    const absolute = join(root, path);
    writeFileSync(absolute, renderFile(seen));
    return { workspace, path, absolute };
  }

  private async opened(): Promise<{ root: string; workspace: Workspace }> {
    this.folder ??= realpathSync(
      mkdtempSync(join(existsSync(inMemory) ? inMemory : tmpdir(), "stet-integrity-")),
    );
    const root = join(this.folder, "root");
    mkdirSync(root, { recursive: true });
    this.workspace ??= must(await Workspace.open(root, { dataFolder: join(this.folder, "data") }));
    return { root, workspace: this.workspace };
  }

  close(): void {
    this.workspace?.close();
    if (this.folder !== undefined) rmSync(this.folder, { recursive: true, force: true });
    this.workspace = undefined;
    this.folder = undefined;
    this.count = 0;
  }
}
