// How the page is built: one small first screen; languages, diffs and dialogs are files of their own that load when needed.

import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

interface Modules {
  getModuleInfo(id: string): { readonly importedIds: readonly string[]; readonly isEntry: boolean } | null;
}

/** What the first screen needs is one file: a browser asks for few at a time, and each costs a way to the server. */
function firstScreen(): (id: string, modules: Modules) => string | null {
  const first = new Set<string>();
  const follow = (modules: Modules, entry: string) => {
    const open = [entry];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (first.has(id)) continue;
      first.add(id);
      open.push(...(modules.getModuleInfo(id)?.importedIds ?? []));
    }
  };
  return (id, modules) => {
    if (first.size === 0) follow(modules, `${import.meta.dirname}/src/main.tsx`);
    return first.has(id) ? "first" : null;
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [solid({ solid: { moduleName: `${import.meta.dirname}/src/ui/visible-dom.ts` } })],
  resolve: { alias: { zod: `${import.meta.dirname}/src/no-schemas.ts` } },
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: firstScreen() }] } } },
  },
  logLevel: "error",
});
