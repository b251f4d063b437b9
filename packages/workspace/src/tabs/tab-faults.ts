// Why a tab cannot be had, opened or saved.

import { Fault } from "@stet/protocol/fault";

export function noTab(): Fault {
  return new Fault(
    "invalid_tab_id",
    "No tab is open, so there is no active one.",
    "Create a document, or ask the person to open one.",
  );
}

export function unknownTab(id: string): Fault {
  return new Fault(
    "invalid_tab_id",
    `There is no tab ${id}; it may have been closed.`,
    "List the tabs to see which are open.",
    { tab_id: id },
  );
}

export function titleExists(title: string): Fault {
  return new Fault(
    "title_exists",
    `A tab with the title ${title} exists already.`,
    "Choose another title, or edit that tab.",
    { title },
  );
}

export function fileExists(path: string): Fault {
  return new Fault(
    "file_exists",
    `${path} exists already and was not replaced.`,
    "Open that file, or choose another path.",
    { path },
  );
}
