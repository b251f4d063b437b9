// The thread of the embedded model: takes a few texts at a time, and answers with their vectors.

import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { readModelFiles } from "./model-files.ts";
import { createSentenceEncoder } from "./sentence-encoder.ts";

export interface WorkerData {
  readonly modelFolder: string;
}

export type WorkerAnswer =
  /** One for each text, in order. */
  | { readonly kind: "vectors"; readonly vectors: readonly Float32Array[] }
  /** The model's files cannot be used. */
  | { readonly kind: "broken"; readonly reason: string };

/**
 * As `nice` counts: the editor and the server's other threads come first. More than this starves it on a busy machine: at 10,
 * a search for which somebody waited took 17 seconds beside a build.
 */
const politeness = 5;

if (parentPort !== null) {
  stepBack();
  serve(parentPort);
}

/** On Linux a thread has a priority of its own. Elsewhere the whole process would lose its, so it is left as it is. */
function stepBack(): void {
  try {
    setPriority(Number(readlinkSync("/proc/thread-self").split("/").at(-1)), politeness);
  } catch {
    // Then it works at the same priority as everything else.
  }
}

function serve(port: NonNullable<typeof parentPort>): void {
  const { modelFolder }: WorkerData = workerData;
  const loading = readModelFiles(modelFolder).then(createSentenceEncoder);
  // Reported with the first answer.
  loading.catch(() => undefined);
  port.on("message", async (texts: readonly string[]) => {
    let answer: WorkerAnswer;
    const buffers: ArrayBuffer[] = [];
    try {
      const encoder = await loading;
      const vectors = texts.map((text) => encoder.encode(text));
      for (const vector of vectors) buffers.push(vector.buffer);
      answer = { kind: "vectors", vectors };
    } catch (error) {
      answer = { kind: "broken", reason: error instanceof Error ? error.message : String(error) };
    }
    port.postMessage(answer, buffers);
  });
}
