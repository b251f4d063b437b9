// The licences of what the packed command contains: every package that ours depend on, and theirs, whose code is bundled.

import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** `installed` are not bundled, and come with their own. */
export function thirdPartyLicenses(root: string, installed: readonly string[]): string {
  const found = new Map<string, string>();
  const visit = (name: string, from: string) => {
    if (name.startsWith("@stet/") || installed.includes(name)) return;
    const folder = folderOf(name, from, root);
    if (folder === undefined || found.has(folder)) return;
    const manifest = readManifest(folder);
    found.set(folder, `${name} ${manifest.version}, ${manifest.license ?? "see below"}\n\n${textOf(folder)}`);
    for (const next of Object.keys(manifest.dependencies ?? {})) visit(next, folder);
  };
  for (const path of globSync("packages/*/package.json", { cwd: root })) {
    const from = join(root, dirname(path));
    for (const name of Object.keys(readManifest(from).dependencies ?? {})) visit(name, from);
  }
  return [...found.values()].sort().join(`\n${"-".repeat(80)}\n\n`);
}

/** As Node looks for it: beside the package that wants it, then further up. */
function folderOf(name: string, from: string, root: string): string | undefined {
  for (let place = from; place.startsWith(root); place = dirname(place)) {
    const folder = join(place, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) return folder;
  }
  return undefined;
}

function textOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => /^(licen[sc]e|copying|notice)/i.test(name));
  const texts = names.map((name) => readFileSync(join(folder, name), "utf8").trim());
  return texts.length > 0 ? `${texts.join("\n\n")}\n` : "(The package has no text of its licence.)\n";
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
