// The tree of a session as lines: a conversation goes straight down, and is indented where it branched.
//
//   user: Start
//   assistant: A plan
//   ├─ user: Try one way
//   │  assistant: Done
//   └─ • user: Try another
//      • assistant: Done otherwise
//
// Each line knows the branches that it is in as a list from the innermost outwards, which it shares with the others of its
// branch: the work is linear however deep the tree is, and only lines in view are drawn.

import type { SessionTreeNode } from "@stet/protocol/api/sessions";
import { truncateCells } from "@stet/tui/text/slice";
import { cellWidth } from "@stet/tui/text/width";
import type { TextToken, Theme } from "../theme/theme.ts";
import { cleanLine } from "../transcript/rows.ts";

interface Branch {
  /** The branch that this one begins in. */
  readonly outer: Branch | undefined;
  /** Whether another branch of the same entry comes below it. */
  readonly hasNext: boolean;
}

export interface TreeLine {
  readonly node: SessionTreeNode;
  readonly branch: Branch | undefined;
  readonly beginsBranch: boolean;
}

/** Nodes come each before what followed it. */
export function treeLines(nodes: readonly SessionTreeNode[]): TreeLine[] {
  const known = new Set(nodes.map(({ entry_id }) => entry_id));
  // An entry whose parent is missing is a root; several roots are branches of one that is not shown.
  const parentOf = ({ parent_id }: SessionTreeNode) =>
    parent_id !== null && known.has(parent_id) ? parent_id : "";
  const children = new Map<string, number>();
  for (const node of nodes) children.set(parentOf(node), (children.get(parentOf(node)) ?? 0) + 1);
  const branches = new Map<string, Branch | undefined>();
  const left = new Map(children);
  return nodes.map((node) => {
    const parent = parentOf(node);
    const outer = branches.get(parent);
    const beginsBranch = (children.get(parent) ?? 0) > 1;
    const rest = (left.get(parent) ?? 1) - 1;
    left.set(parent, rest);
    const branch = beginsBranch ? { outer, hasNext: rest > 0 } : outer;
    branches.set(node.entry_id, branch);
    return { node, branch, beginsBranch };
  });
}

/** At most this part of a row is indentation; of deeper branches, the innermost ones are drawn. */
const mostIndent = 0.4;
const indentWidth = 3;

const tokens: Readonly<Record<SessionTreeNode["kind"], TextToken>> = {
  user: "accent",
  assistant: "text",
  tool: "toolOutput",
  turn: "success",
  stop: "warning",
  decision: "muted",
  summary: "customMessageText",
  delivery: "customMessageText",
  note: "dim",
};

export interface LineLook {
  readonly isSelected: boolean;
  readonly isLeaf: boolean;
}

export function lineRow(
  line: TreeLine,
  { isSelected, isLeaf }: LineLook,
  width: number,
  theme: Theme,
): string {
  const { node } = line;
  const pointer = isSelected ? `${theme.fg("accent", theme.symbol("selected"))} ` : "  ";
  const indent = theme.fg("border", indentOf(line, Math.floor(width * mostIndent), theme));
  const path = node.is_on_path ? `${theme.fg("accent", theme.symbol("bullet"))} ` : "";
  const label = node.label === null ? "" : `${theme.fg("warning", `[${cleanLine(node.label)}]`)} `;
  const said = `${theme.fg("muted", `${node.kind}:`)} ${theme.fg(tokens[node.kind], cleanLine(node.text))}`;
  const here = isLeaf ? theme.fg("success", ` ${theme.symbol("leaf")} here`) : "";
  const room = Math.max(1, width - cellWidth(here));
  const row = truncateCells(`${pointer}${indent}${path}${label}${said}`, room, theme.symbol("more"));
  const whole = truncateCells(`${row}${here}`, width, "");
  return isSelected ? theme.emphasis("bold", whole) : whole;
}

function indentOf({ branch, beginsBranch }: TreeLine, most: number, theme: Theme): string {
  const vertical = theme.symbol("vertical");
  const line = theme.symbol("line");
  const [tee, corner] = vertical === "│" ? ["├", "└"] : [vertical, theme.symbol("cornerBottomLeft")];
  const levels = Math.max(1, Math.floor(most / indentWidth));
  const parts: string[] = [];
  for (let at = branch; at !== undefined; at = at.outer) {
    if (parts.length === levels) {
      parts.push(theme.symbol("more"));
      break;
    }
    const isInnermost = parts.length === 0;
    if (isInnermost && beginsBranch) parts.push(`${at.hasNext ? tee : corner}${line} `);
    else parts.push(at.hasNext ? `${vertical}  ` : "   ");
  }
  return parts.reverse().join("");
}
