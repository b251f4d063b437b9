// Light or dark as the system has it, or as the person chose; more contrast where either asks for it.

import { createEffect, onCleanup } from "solid-js";
import type { Layout } from "./layout.ts";

export type Scheme = "light" | "dark" | "contrast";

export function followTheme(layout: Layout): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const contrast = matchMedia("(prefers-contrast: more)");
  const apply = () => {
    document.documentElement.dataset.theme = schemeOf(layout, dark.matches, contrast.matches);
  };
  createEffect(apply);
  for (const query of [dark, contrast]) {
    query.addEventListener("change", apply);
    onCleanup(() => query.removeEventListener("change", apply));
  }
}

function schemeOf({ state }: Layout, isDark: boolean, wantsContrast: boolean): Scheme {
  if (state.theme !== "system") return state.theme;
  if (wantsContrast) return "contrast";
  return isDark ? "dark" : "light";
}
