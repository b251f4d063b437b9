// What a model may get wrong, one folder for each.

import { runToolCases } from "@stet/testkit/cases";
import { paperToolset } from "./paper-toolset.ts";

runToolCases(new URL("cases", import.meta.url), ({ turn, documents }) => {
  const [document = 0] = documents;
  return paperToolset({ turn, document, messages: () => [] }).tools;
});
