// How the page is built: one small first screen; languages, diffs and dialogs are files of their own that load when needed.

import { defineConfig } from "vite";
import solid from "vite-plugin-solid";

/** Messages of the schema library in fifty languages, of which the page uses none. */
const noLocales = {
  name: "no-locales",
  enforce: "pre" as const,
  load(id: string) {
    return /\/zod\/.*\/locales\/index\.js$/.test(id) ? "export {};" : undefined;
  },
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [noLocales, solid()],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
  logLevel: "error",
});
