// The process that works apart (see apart.ts): takes one job, answers, and is ended.

import { Worker } from "node:worker_threads";
import type { ApartReady, ApartReply, ApartRequest } from "./apart.ts";

const grace = 1000;
const maxBytes = 1536 * 1024 * 1024;

process.once("message", async (request: ApartRequest) => {
  watch();
  const reply = await answer(request).catch(
    (error: unknown): ApartReply => ({
      kind: "failed",
      reason: error instanceof Error ? error.message : String(error),
    }),
  );
  process.send?.(reply);
});
const ready: ApartReady = { kind: "ready" };
process.send?.(ready);

/** Looks from beside at whatever holds the main thread, also where that is in native code. */
function watch(): void {
  const script = `
    const end = () => process.kill(process.pid, "SIGKILL");
    setTimeout(end, ${Number(process.argv[2]) + grace});
    setInterval(() => { if (process.memoryUsage.rss() > ${maxBytes}) end(); }, 100);
  `;
  new Worker(script, { eval: true }).unref();
}

async function answer(request: ApartRequest): Promise<ApartReply> {
  return { kind: "done", value: await work(request) };
}

async function work(request: ApartRequest): Promise<unknown> {
  switch (request.kind) {
    case "sqlite":
      return (await import("./sqlite/run-sqlite.ts")).runSqlite(request.job);
    case "document":
      return (await import("./documents/convert-document.ts")).convertDocument(request.job);
    case "picture":
      return (await import("./fit-picture.ts")).fitPicture(request.job);
    case "feed":
      return (await import("./web/feed-markdown.ts")).feedMarkdown(request.job);
    case "page":
      return (await import("./web/page-markdown.ts")).pageMarkdown(request.job);
  }
}
