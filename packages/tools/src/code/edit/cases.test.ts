// What edits of each format come to, one folder for each case (see cases.ts of the testkit).

import { runEditCases } from "@stet/testkit/cases";

runEditCases(new URL("cases", import.meta.url));
