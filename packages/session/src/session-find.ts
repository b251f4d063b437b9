// A session by a path or by the beginning of its id.
//
// Sessions of this project come before all others. One of another project is found too, and said to be elsewhere.
// A beginning that fits several sessions is refused: the wrong conversation would go on unnoticed.

import { resolve } from "node:path";
import { Fault } from "@stet/protocol/fault";
import { readSessionInfo, type SessionInfo } from "./session-listing.ts";
import { idFromFileName, isSameFolder } from "./session-paths.ts";

export interface FoundSession {
  /** "elsewhere": it belongs to another project, so the person should be asked whether to fork it into this one. */
  readonly where: "here" | "elsewhere";
  readonly info: SessionInfo;
}

export function findSession(
  idOrPath: string,
  cwd: string,
  pathsHere: readonly string[],
  allPaths: () => readonly string[],
): FoundSession | Fault {
  if (idOrPath === "") return notFound(idOrPath);
  const isPath = /[/\\]/.test(idOrPath) || idOrPath.endsWith(".jsonl");
  if (isPath) {
    const info = readSessionInfo(resolve(cwd, idOrPath));
    return info === undefined ? notFound(idOrPath) : located(info, cwd);
  }
  const here = matching(idOrPath, pathsHere).filter((info) => isHere(info, cwd));
  const matches = here.length > 0 ? here : matching(idOrPath, allPaths());
  const [first, ...others] = matches;
  if (first === undefined) return notFound(idOrPath);
  return others.length === 0 ? located(first, cwd) : ambiguous(idOrPath, matches);
}

/** Reads only the files whose names fit. One whose id is exactly this wins over longer ones. */
function matching(prefix: string, paths: readonly string[]): SessionInfo[] {
  const fitting = paths.filter((path) => idFromFileName(path)?.startsWith(prefix) ?? true);
  const infos = fitting
    .flatMap((path) => readSessionInfo(path) ?? [])
    .filter((info) => info.id.startsWith(prefix));
  const exact = infos.filter((info) => info.id === prefix);
  return exact.length > 0 ? exact : infos;
}

function located(info: SessionInfo, cwd: string): FoundSession {
  return { where: isHere(info, cwd) ? "here" : "elsewhere", info };
}

/** A damaged session does not know its folder; it lies among those of the project. */
export function isHere(info: SessionInfo, cwd: string): boolean {
  return info.cwd === "" || isSameFolder(info.cwd, cwd);
}

export function notFound(idOrPath: string): Fault {
  return new Fault(
    "session_not_found",
    `There is no session "${idOrPath}".`,
    'List them with "stet sessions list"; the beginning of an id is enough.',
    { session: idOrPath },
  );
}

function ambiguous(prefix: string, matches: readonly SessionInfo[]): Fault {
  const names = matches.slice(0, 5).map((info) => `${info.id} (${info.name})`);
  return new Fault(
    "ambiguous_session",
    `${matches.length} sessions begin with "${prefix}".`,
    `Give more of the id: ${names.join(", ")}${matches.length > names.length ? ", …" : ""}.`,
    { session: prefix, matches: matches.map((info) => info.id) },
  );
}
