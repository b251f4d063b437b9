// The body of a request: JSON, announced as JSON, and no larger than the limit.
//
// A form of another site can be sent without asking first, but not as application/json: that type alone keeps it out. The
// bytes are counted as they come, so a body that lies about its length is cut off, too.

import { Fault } from "@stet/protocol/fault";

export async function readBody(request: Request, limit: number): Promise<unknown> {
  const { headers } = request;
  const type = headers.get("content-type");
  if (type === null && !hasBody(request)) return {};
  if (type === null || !isJson(type)) return wrongType(type);
  if (Number(headers.get("content-length") ?? 0) > limit) return tooLarge(limit);
  const bytes = await readAll(request, limit);
  if (bytes instanceof Fault) return bytes;
  if (bytes.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return new Fault(
      "invalid_arguments",
      "The body of the request is not valid JSON in UTF-8.",
      "Send one JSON object.",
    );
  }
}

/** From a network, the headers tell; a request in memory has its body or has none. */
function hasBody({ headers, body }: Request): boolean {
  if (headers.has("transfer-encoding")) return true;
  const length = headers.get("content-length");
  if (length !== null) return Number(length) > 0;
  return !headers.has("host") && body !== null;
}

function isJson(type: string): boolean {
  return /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type);
}

async function readAll(request: Request, limit: number): Promise<Buffer | Fault> {
  if (request.body === null) return Buffer.alloc(0);
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return Buffer.concat(chunks);
      size += value.byteLength;
      if (size > limit) {
        reader.cancel().catch(() => {});
        return tooLarge(limit);
      }
      chunks.push(value);
    }
  } catch {
    return new Fault("aborted", "The request ended before its body did.", "Send it again.");
  }
}

function tooLarge(limit: number): Fault {
  return new Fault(
    "body_too_large",
    `The body of a request may have ${limit} bytes at most.`,
    "Send less at once. The limit is STET_MAX_BODY_BYTES.",
    { max_body_bytes: limit },
  );
}

function wrongType(type: string | null): Fault {
  return new Fault(
    "wrong_content_type",
    type === null
      ? "The request has a body but no Content-Type."
      : `A body of ${JSON.stringify(type)} is not taken.`,
    "Send JSON with the header Content-Type: application/json.",
  );
}
