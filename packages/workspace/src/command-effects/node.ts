// A node: what is at a path, beside the text of a file. It has one line of text, so that it is a document of the ledger
// like any other: proposed, decided, taken back and undone by the same means.
//
//   ""                                              there is nothing
//   folder, mode 755
//   link to "../other"                              JSON, see raw-path.ts
//   file, mode 644                                  its content is a document's, or it is empty
//   file, mode 644, 12 bytes, sha256:…              its content is not text, or its name is not
//   file, mode 644, 99999999 bytes, changed 17.25   too large to be read: compared by its modification time
//   pipe, socket, device                            can be removed, and not be made again

export type Node =
  | { readonly kind: "folder"; readonly mode: number }
  | { readonly kind: "link"; readonly target: string }
  | { readonly kind: "file"; readonly mode: number; readonly content: NodeContent | undefined }
  | { readonly kind: "pipe" | "socket" | "device" };

export interface NodeContent {
  readonly size: number;
  /** `sha256:…`, or `changed …` of a file that is too large. */
  readonly id: string;
}

export function lineOf(node: Node | null): string {
  if (node === null) return "";
  switch (node.kind) {
    case "folder":
      return `folder, mode ${octal(node.mode)}`;
    case "link":
      return `link to ${JSON.stringify(node.target)}`;
    case "file": {
      const { content, mode } = node;
      const rest = content === undefined ? "" : `, ${content.size} bytes, ${content.id}`;
      return `file, mode ${octal(mode)}${rest}`;
    }
    default:
      return node.kind;
  }
}

const filePattern = /^file, mode (\d+)(?:, (\d+) bytes, (.+))?$/;

/** The node that a line stands for. A line that nobody here has written stands for nothing. */
export function nodeOf(line: string): Node | null {
  const folder = /^folder, mode (\d+)$/.exec(line);
  if (folder !== null) return { kind: "folder", mode: Number.parseInt(folder[1] ?? "", 8) };
  if (line.startsWith("link to ")) return { kind: "link", target: String(JSON.parse(line.slice(8))) };
  if (line === "pipe" || line === "socket" || line === "device") return { kind: line };
  const file = filePattern.exec(line);
  if (file === null) return null;
  const [, mode = "", size, id] = file;
  const content = size === undefined || id === undefined ? undefined : { size: Number(size), id };
  return { kind: "file", mode: Number.parseInt(mode, 8), content };
}

/** A file whose content is a document's, or is empty. */
export function isPlainFile(node: Node | null): boolean {
  return node?.kind === "file" && node.content === undefined;
}

function octal(mode: number): string {
  return mode.toString(8).padStart(3, "0");
}

/** What became of a path, in words, for people and models: `d (a new folder)`. */
export function wordsFor(before: Node | null, after: Node | null): string {
  if (before === null) return `a new ${nameOf(after)}`;
  if (after === null) return `a removed ${nameOf(before)}`;
  if (before.kind !== after.kind) return `a ${nameOf(before)}, a ${nameOf(after)} now`;
  if (before.kind === "link") return "a link that leads elsewhere now";
  if (!("mode" in before) || !("mode" in after)) return `another ${before.kind}`;
  const mode = `its mode, ${octal(before.mode)}, is ${octal(after.mode)} now`;
  if (before.kind === "folder" || after.kind === "folder") return mode;
  return before.content?.id === after.content?.id ? mode : "its content, which is not text";
}

function nameOf(node: Node | null): string {
  if (node?.kind !== "file") return node?.kind ?? "nothing";
  return node.content === undefined ? "empty file" : "file that is not text";
}
