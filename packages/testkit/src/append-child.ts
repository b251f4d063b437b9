// A process that appends numbered lines to a document, as the person.   node append-child.ts ROOT DATA DOCUMENT NAME COUNT

import { Workspace } from "@stet/workspace/workspace";
import { must, personEdits } from "./workspace.ts";

const [root = "", dataFolder = "", document = "", name = "", count = ""] = process.argv.slice(2);
const workspace = must(await Workspace.open(root, { dataFolder }));
for (let index = 0; index < Number(count); index += 1) {
  // Looking and editing are one transaction, so that the other process cannot come in between.
  must(
    workspace.ledger.write(() => {
      personEdits(workspace, Number(document), { op: "append", content: `${name} ${index}` });
      return true;
    }),
  );
}
workspace.close();
