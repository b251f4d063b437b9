// A path as a model writes it, from the root: absolute paths inside the root, `./` and `file://` are understood. What leads
// elsewhere stays as it is, and is refused where it is resolved.

import { isAbsolute, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { Workspace } from "@stet/workspace/workspace";

export function rootPath({ root }: Pick<Workspace, "root">, path: string): string {
  const plain = fromUrl(path.trim());
  if (!isAbsolute(plain)) return plain.replace(/^(?:\.\/+)+/, "") || ".";
  if (plain === "/") return ".";
  const inside = relative(root.path, plain);
  if (inside === "") return ".";
  return inside.startsWith("..") || isAbsolute(inside) ? plain : inside.split(sep).join("/");
}

function fromUrl(path: string): string {
  if (!path.startsWith("file://")) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return path;
  }
}
