// The sources as a bundle: files that load each other when they are needed.
//
// A bundler splits by who imports what, which leaves hundreds of small files, and Node spends a good part of a short run on
// finding and linking them. So modules that one journey of the command loads together are put into one file: the bundle is
// made twice, and in between the journeys are made with the first one (journeys.ts). What no journey loads stays apart and is
// loaded when it is asked for.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { type InputOptions, type OutputChunk, type OutputOptions, type Plugin, rolldown } from "rolldown";

const root = join(import.meta.dirname, "..");

/** The modules of a file of the bundle, by its name. */
export type BundleContents = ReadonlyMap<string, readonly string[]>;

/** A file that these modules share. */
export interface Group {
  readonly name: string;
  readonly modules: ReadonlySet<string>;
}

/** Messages of the schema library in fifty languages, of which we use one. */
const oneLanguage: Plugin = {
  name: "one-language",
  resolveId(source, importer) {
    if (!/locales\/index\.c?js$/.test(source) || !importer?.includes("/zod/")) return undefined;
    return `${join(dirname(importer), source)}?one-language`;
  },
  load(id) {
    if (!id.endsWith("?one-language")) return undefined;
    return `export { default as en } from ${JSON.stringify(join(dirname(id), "en.js"))};`;
  },
};

/** Modules that read prompts and styles find them in the bundle under the folder that they were in. */
const filesBeside: Plugin = {
  name: "files-beside",
  load(id) {
    if (!/packages\/(tools|session|agent|model)\/src\/.*\.ts$/.test(id)) return undefined;
    const source = readFileSync(id, "utf8");
    const address = `new URL("./files/${folderInBundle(relative(root, id))}/", import.meta.url).href`;
    return { code: source.replaceAll("import.meta.url", address), moduleType: "ts" };
  },
};

/** The providers' packages name the global `Headers`, which makes Node load an HTTP client that nothing here uses. */
const lightHeaders: Plugin = {
  name: "light-headers",
  transform(code, id) {
    if (!id.includes("/@ai-sdk/") || !/\bHeaders\b/.test(code)) return undefined;
    const source = join(root, "packages/model/src/network/light-response.ts");
    return `import { LightHeaders as Headers } from ${JSON.stringify(source)};\n${code}`;
  },
};

/** `packages/tools/src/tabs/read_document.md` is kept in `tools/tabs`. */
export function folderInBundle(file: string): string {
  return dirname(file).replace(/^packages\/([^/]+)\/src/, "$1");
}

/** Writes the bundle to a folder, and says which module went into which file. */
export async function bundle(
  folder: string,
  external: readonly string[],
  groups: readonly Group[] = [],
): Promise<BundleContents> {
  const input: InputOptions = {
    input: {
      main: join(root, "packages/cli/src/main.ts"),
      // The file of a thread or of a process is named, not imported.
      "local-embedder-worker": join(root, "packages/meaning/src/embedder/local-embedder-worker.ts"),
      "apart-process": join(root, "packages/tools/src/code/read/apart-process.ts"),
    },
    platform: "node",
    external: [...external],
    resolve: {
      // Some packages' other form loads its own parts by names that a bundler cannot follow.
      mainFields: ["module", "main"],
      // In its form for Node it is CommonJS, whose names a module that is loaded later does not have in a bundle.
      alias: { yaml: join(root, "node_modules/yaml/browser/index.js") },
    },
    plugins: [oneLanguage, filesBeside, lightHeaders],
    // Whether a module that is loaded on demand somewhere is also loaded at once elsewhere is no fault here.
    checks: { ineffectiveDynamicImport: false, eval: false },
  };
  const output: OutputOptions = {
    dir: folder,
    format: "esm",
    minify: true,
    comments: false,
    chunkFileNames: "[name]-[hash].js",
    codeSplitting: {
      groups: groups.map(({ name, modules }) => ({ name, test: (id: string) => modules.has(id) })),
    },
  };
  const build = await rolldown(input);
  const written = await build.write(output);
  await build.close();
  const chunks = written.output.filter((file): file is OutputChunk => file.type === "chunk");
  return new Map(chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds]));
}
