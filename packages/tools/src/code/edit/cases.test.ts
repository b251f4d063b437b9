// What edits of each format come to, one folder for each case (see edit-cases.ts of the testkit).

import { runEditCases } from "@stet/testkit/edit-cases";

runEditCases(new URL("cases", import.meta.url));
