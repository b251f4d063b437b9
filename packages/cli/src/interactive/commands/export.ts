// /export: the conversation as a file; its ending says in which form. Pages have the backgrounds of the theme.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { Fault, isFault } from "@stet/protocol/fault";
import { attempt } from "@stet/protocol/system-fault";
import { visibleName } from "@stet/protocol/visible";
import { writePrivateFile } from "@stet/storage/private-files";
import { homeFolder } from "@stet/workspace/files/state-folder";
import type { App } from "../app.ts";

const formats = { ".md": "markdown", ".html": "html", ".jsonl": "jsonl" } as const;

export async function exportSession(argument: string, app: App): Promise<void> {
  const { id } = app.conversation;
  if (id === "") return app.tell("Nothing was said yet, so there is nothing to export.");
  const ending = Object.keys(formats).find((end) => argument.toLowerCase().endsWith(end)) ?? "";
  if (argument !== "" && ending === "")
    return app.tell(`Name a file that ends with ${Object.keys(formats).join(", ")}.`, "error");
  const format = formats[ending as keyof typeof formats] ?? "markdown";
  const query = { format, ...(format === "html" ? await colours(app) : {}) };
  const exported = await app.api.call("exportSession", { params: { session_id: id }, query });
  if (isFault(exported)) return app.tellFault(exported);
  const file = pathOf(argument === "" ? freeName(app.folder, exported.name) : argument, app);
  const written = write(file, exported.text);
  if (isFault(written)) app.tellFault(written);
  else app.tell(`Written to ${visibleName(file)}. Only you can read it.`);
}

async function colours(app: App) {
  const { backgroundsOf } = await import("../theme/export-colours.ts");
  const { page, card, info } = await backgroundsOf(app.theme.name, app.environment);
  return {
    ...(page === undefined ? {} : { page_colour: page }),
    ...(card === undefined ? {} : { card_colour: card }),
    ...(info === undefined ? {} : { info_colour: info }),
  };
}

function pathOf(name: string, { folder, environment }: App): string {
  return name.startsWith("~/") ? join(homeFolder(environment), name.slice(2)) : resolve(folder, name);
}

/** `Title.md`, `Title-2.md` … */
function freeName(folder: string, name: string): string {
  const dot = name.lastIndexOf(".");
  for (let number = 1; ; number += 1) {
    const next = number === 1 ? name : `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
    if (!existsSync(join(folder, next))) return next;
  }
}

function write(file: string, text: string): Fault | undefined {
  if (existsSync(file))
    return new Fault("file_exists", `${file} exists already.`, "Choose another name.", { path: file });
  return attempt("written", file, () => {
    writePrivateFile(file, text, "wx");
    return undefined;
  });
}
