// `issue://` and `pr://` for read. Which repository is meant is settled once, before permission is asked for it.

import type { ToolContext } from "@stet/agent/tool";
import { type Fault, isFault } from "@stet/protocol/fault";
import type { CodeContext } from "../code-context.ts";
import { parseSelector } from "../read/selector.ts";
import type { Source } from "../read/source.ts";
import { parseGithubAddress } from "./github-address.ts";
import { answerGithub, type GithubSelection, type GithubTarget, targetUrl } from "./github-answer.ts";
import { permitReading } from "./permit-github.ts";
import { repositoryUrl } from "./repository.ts";

interface Settled extends GithubSelection {
  readonly target: GithubTarget;
}

/** From authorising to reading. */
const settled = new WeakMap<ToolContext, Settled>();

export const githubSource: Source = {
  async authorise(path, context, call) {
    const found = await settle(path, context);
    if (found === undefined || isFault(found)) return found;
    settled.set(call, found);
    const { target } = found;
    const scope = `${repositoryUrl(target.repository)}/*`;
    return permitReading(context, { url: targetUrl(target), scope }, call);
  },
  async read(_, context, call) {
    const found = settled.get(call);
    return found && answerGithub(context, found.target, found, call);
  },
};

/** Labels have colons of their own (`priority:1`), and a list is short. */
function isFiltered(path: string): boolean {
  return /^[a-z]+:\/\/[^?]*\?(?:.*&)?(?:label|author)=/is.test(path);
}

async function settle(path: string, context: CodeContext): Promise<Settled | Fault | undefined> {
  const selected = isFiltered(path) ? { path, selector: undefined, isRaw: false } : parseSelector(path);
  if (isFault(selected)) return selected;
  const address = parseGithubAddress(selected.path);
  if (address === undefined || isFault(address)) return address;
  const repository = (await context.github()).repository(address.repository);
  return isFault(repository) ? repository : { ...selected, target: { address, repository } };
}
