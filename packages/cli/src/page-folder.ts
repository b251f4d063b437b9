// Where the page of the browser workspace is: beside the packed program, or where STET_PAGE says, for a build of one's own.
// Undefined where it is in neither folder; then the server has a plain page that says so.

import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export function pageFolder(
  environment: NodeJS.ProcessEnv,
  program: string = dirname(fileURLToPath(import.meta.url)),
): string | undefined {
  const places = [join(program, "../web"), environment.STET_PAGE ?? ""];
  return places.find((folder) => folder !== "" && existsSync(join(folder, "index.html")));
}
