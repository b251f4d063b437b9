// A content-addressed store for large contents of entries: each is stored once, under the hash of its bytes.
//
// When an entry is written, the data of an image from 1,024 base64 characters on, and any string over 500,000
// characters, is put into the store and replaced by a reference. When it is read, the content returns:
//   resolve(externalise(value)) equals value
// for every JSON value, also one that holds a string that looks like a reference: that string is stored too.
// Fields that only matter while a stream runs are not written.

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { type Fault, isFault } from "@stet/protocol/fault";
import { uniqueSuffix } from "@stet/protocol/ids";
import { isRecord } from "@stet/protocol/json-record";
import { attempt } from "@stet/protocol/system-fault";
import { makeDurableFolder, replaceFile, writeAll } from "@stet/storage/durable-file";

export const minImageBlobCharacters = 1024;
export const maxInlineCharacters = 500_000;

const transientFields: ReadonlySet<string> = new Set(["partialJson", "jsonlEvents"]);

/** In the data of an image: bytes, to be given back as base64. */
const imageReference = /^blob:sha256:([0-9a-f]{64})$/;
/** In place of any other string. */
const textReference = /^blob:text:sha256:([0-9a-f]{64})$/;
const anyReference = /blob:(?:text:)?sha256:([0-9a-f]{64})/g;

/** What stands in for a content that is gone or damaged. */
const missingText = "[This content is no longer stored.]";

export interface ResolvedBlobs<T> {
  readonly value: T;
  /** Hashes of contents that are gone or damaged; a notice stands in for each. */
  readonly missing: readonly string[];
}

export class BlobStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** Stores the bytes and returns their hash. */
  put(bytes: Uint8Array): string {
    const hash = createHash("sha256").update(bytes).digest("hex");
    const path = join(this.folder, hash);
    // A file of another length is what a disk error or a person left; it is replaced.
    if (statSync(path, { throwIfNoEntry: false })?.size === bytes.length) {
      const now = new Date();
      utimesSync(path, now, now);
      return hash;
    }
    makeDurableFolder(this.folder);
    replaceFile(path, `${path}.${uniqueSuffix()}`, (descriptor) => writeAll(descriptor, bytes));
    return hash;
  }

  /** Undefined where it is not there, or not what its name says. */
  get(hash: string): Buffer | undefined {
    const path = join(this.folder, hash);
    if (!existsSync(path)) return undefined;
    const bytes = attempt("read", path, () => readFileSync(path));
    if (isFault(bytes)) return undefined;
    return createHash("sha256").update(bytes).digest("hex") === hash ? bytes : undefined;
  }

  /** The value with references in it has the same type: a reference is a string where a string was. */
  externalise<T>(value: T): T | Fault {
    return attempt("stored", this.folder, () => this.#reduce(value) as T);
  }

  resolve<T>(value: T): ResolvedBlobs<T> {
    const missing: string[] = [];
    return { value: this.#restore(value, missing) as T, missing };
  }

  /**
   * Removes every blob that none of the texts refers to, and returns how many. One that was put lately stays: the
   * entry that refers to it may be about to be written.
   */
  collect(referring: Iterable<string>, minAgeMilliseconds = 3_600_000): number {
    const used = new Set<string>();
    for (const text of referring) for (const match of text.matchAll(anyReference)) used.add(match[1] ?? "");
    let removed = 0;
    if (!existsSync(this.folder)) return removed;
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const putAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.POSITIVE_INFINITY;
      if (used.has(name) || Date.now() - Math.floor(putAt) < minAgeMilliseconds) continue;
      rmSync(path, { force: true });
      removed += 1;
    }
    return removed;
  }

  #reduce(value: unknown): unknown {
    if (typeof value === "string") return this.#reduceText(value);
    if (Array.isArray(value)) return value.map((item) => this.#reduce(item));
    if (!isRecord(value)) return value;
    const fields = Object.entries(value).filter(([key]) => !transientFields.has(key));
    return Object.fromEntries(
      fields.map(([key, field]) => {
        const isImageData = key === "data" && value.type === "image" && typeof field === "string";
        return [key, isImageData ? this.#reduceImage(field) : this.#reduce(field)];
      }),
    );
  }

  #reduceText(text: string): string {
    const isPlain =
      text.length <= maxInlineCharacters && !textReference.test(text) && !imageReference.test(text);
    // Half a surrogate pair has no UTF-8 form; JSON can carry it, a blob cannot.
    if (isPlain || !text.isWellFormed()) return text;
    return `blob:text:sha256:${this.put(Buffer.from(text))}`;
  }

  #reduceImage(data: string): string {
    if (data.length < minImageBlobCharacters) return this.#reduceText(data);
    const bytes = Buffer.from(data, "base64");
    // Only what comes back the same may be stored as bytes.
    if (bytes.toString("base64") !== data) return this.#reduceText(data);
    return `blob:sha256:${this.put(bytes)}`;
  }

  #restore(value: unknown, missing: string[]): unknown {
    if (typeof value === "string") return this.#restoreText(value, missing);
    if (Array.isArray(value)) return value.map((item) => this.#restore(item, missing));
    if (!isRecord(value)) return value;
    const isImage = value.type === "image" && typeof value.data === "string";
    const hash = isImage ? imageReference.exec(String(value.data))?.[1] : undefined;
    const image = hash === undefined ? undefined : this.get(hash);
    if (hash !== undefined && image === undefined) {
      missing.push(hash);
      // A model would refuse an image without data.
      return { type: "text", text: missingText };
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, field]) => {
        const isData = key === "data" && image !== undefined;
        return [key, isData ? image.toString("base64") : this.#restore(field, missing)];
      }),
    );
  }

  #restoreText(text: string, missing: string[]): string {
    const hash = textReference.exec(text)?.[1];
    if (hash === undefined) return text;
    const bytes = this.get(hash);
    if (bytes !== undefined) return bytes.toString("utf8");
    missing.push(hash);
    return missingText;
  }
}
