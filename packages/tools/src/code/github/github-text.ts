// Texts of strangers as a model sees them: every hidden character visible, pictures as links, and what somebody wrote behind
// a `>` on each line, so that no comment can look like the next one or like words of ours.

import { cutText } from "@stet/protocol/cut-text";
import { visible, visibleName } from "@stet/protocol/visible";
import { prompt } from "../../prompt.ts";
import { sizeName } from "../read/size-name.ts";

const maxName = 200;

/** What stands before everything that comes from GitHub. */
export function strangersNote(): string {
  return `[${prompt(import.meta.url, "strangers")}]`;
}

/** A title, a label, a name: on one line. */
export function named(text: string): string {
  return cutText(visibleName(text.trim()), maxName);
}

export function quotedText(text: string): string {
  const lines = visible(pictureLinks(text)).trimEnd().split("\n");
  return lines.map((line) => (line === "" ? ">" : `> ${line}`)).join("\n");
}

/** Pictures of HTML as links of Markdown, and those that are in the text itself by their size alone. */
export function pictureLinks(text: string): string {
  return text
    .replace(/<img\s[^<>]{0,4000}>/gi, (tag) => {
      const source = attribute(tag, "src");
      return source === undefined ? tag : `![${attribute(tag, "alt") ?? "picture"}](${source})`;
    })
    .replace(/data:image\/[\w.+-]{1,40};base64,[A-Za-z0-9+/=]{100,}/g, (data) => {
      const [type = ""] = /^data:[^;]*/.exec(data) ?? [];
      return `${type}, ${sizeName(Math.round(data.length * 0.75))}`;
    });
}

function attribute(tag: string, name: string): string | undefined {
  const [, inDouble, inSingle, plain] =
    new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag) ?? [];
  return inDouble ?? inSingle ?? plain;
}

/** `2026-01-31 09:00` of an ISO time; empty where there is none. */
export function timeText(time: string | null | undefined): string {
  const [, day, hour] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})/.exec(time ?? "") ?? [];
  return day === undefined || day.startsWith("0001") ? "" : `${day} ${hour}`;
}

/** How old something is, in words. */
export function ageText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (minutes < 1) return "a moment ago";
  if (minutes < 60) return minutes === 1 ? "a minute ago" : `${minutes} minutes ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? "an hour ago" : `${hours} hours ago`;
  return `${Math.floor(hours / 24)} days ago`;
}
