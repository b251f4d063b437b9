// What agents gave back, as files beside the session's artifacts: `0-Look.md`, and `0-Look.patch` where changes of it are not
// in the files. Of a session that leaves nothing behind, in memory.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Fault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";
import { tellIfFault } from "@stet/storage/notices";
import type { AgentOutputs } from "@stet/tools/agents/agent-address";
import { isAgentId } from "./agent-ids.ts";

/** In memory the newest are kept. */
const maxHeld = 200;

export class StoredOutputs implements AgentOutputs {
  readonly folder: string | undefined;
  readonly #held = new Map<string, string>();

  constructor(folder: string | undefined) {
    this.folder = folder;
  }

  /** Returns where it is; undefined where it is in memory only. */
  keep(id: string, kind: "md" | "patch", text: string): string | undefined {
    const name = `${id}.${kind}`;
    if (this.folder === undefined) {
      this.#held.set(name, text);
      const [oldest] = this.#held.keys();
      if (this.#held.size > maxHeld && oldest !== undefined) this.#held.delete(oldest);
      return undefined;
    }
    const folder = this.folder;
    const path = join(folder, name);
    tellIfFault(
      attempt("written", path, () => {
        makeDurableFolder(folder);
        replaceFile(path, `${path}.tmp`, (descriptor) => writeAll(descriptor, Buffer.from(text)));
        return undefined;
      }),
    );
    return path;
  }

  names(): readonly string[] {
    const files = this.folder === undefined ? [...this.#held.keys()] : filesIn(this.folder);
    return files.flatMap((name) => {
      const id = name.endsWith(".md") ? name.slice(0, -".md".length) : name.endsWith(".patch") ? name : "";
      return id !== "" && isAgentId(id.replace(/\.patch$/, "")) ? [id] : [];
    });
  }

  read(name: string): string | Fault | undefined {
    const isPatch = name.endsWith(".patch");
    const id = isPatch ? name.slice(0, -".patch".length) : name;
    if (!isAgentId(id)) return undefined;
    const file = isPatch ? name : `${name}.md`;
    if (this.folder === undefined) return this.#held.get(file);
    const path = join(this.folder, file);
    return existsSync(path) ? attempt("read", path, () => readFileSync(path, "utf8")) : undefined;
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
