// Languages, by the name of a file. Each is a file of the page that is loaded when it is first needed.

import type { LanguageSupport } from "@codemirror/language";

/** Undefined where the name says nothing, or where the language could not be loaded: the text is shown without colours. */
export async function languageOf(name: string): Promise<LanguageSupport | undefined> {
  const base = name.split("/").at(-1) ?? "";
  if (!base.includes(".") && !/^[A-Z][a-z]+file$/.test(base)) return undefined;
  // Most of what is plain by its name; the list of languages has to be loaded to know of others.
  if (/\.(?:txt|log)$/i.test(base) && base !== "CMakeLists.txt") return undefined;
  try {
    const [{ languages }, { LanguageDescription }] = await Promise.all([
      import("@codemirror/language-data"),
      import("@codemirror/language"),
    ]);
    return await LanguageDescription.matchFilename(languages, base)?.load();
  } catch {
    return undefined;
  }
}
