// The real embedded model, for the tests of packages that may not know who makes the vectors.

import type { TestContext } from "node:test";
import { LocalEmbedder } from "@stet/meaning/embedder/local-embedder";
import type { Embedder } from "@stet/protocol/embedding";

/** Closed when the test ends. */
export function localEmbedder(t: TestContext): Embedder {
  const embedder = new LocalEmbedder();
  t.after(() => embedder.close());
  return embedder;
}
