// A new tar file, packed with gzip, from texts.

import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { pack } from "tar-stream";

export async function packTar(
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<Buffer> {
  const stream = pack();
  for (const { name, text } of files) stream.entry({ name, mode: 0o600 }, text);
  stream.finalize();
  return promisify(gzip)(await buffer(stream));
}
