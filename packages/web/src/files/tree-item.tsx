// One line of the tree.

import ChevronIcon from "lucide-solid/icons/chevron-right";
import FileIcon from "lucide-solid/icons/file";
import CodeIcon from "lucide-solid/icons/file-code";
import ImageIcon from "lucide-solid/icons/file-image";
import TextIcon from "lucide-solid/icons/file-text";
import FolderIcon from "lucide-solid/icons/folder";
import FolderOpenIcon from "lucide-solid/icons/folder-open";
import { Show } from "solid-js";
import { Dynamic } from "solid-js/web";
import { plural } from "../status/word-count.ts";
import { MarkedText } from "../ui/marked-text.tsx";
import type { TreeRow } from "./file-tree.ts";

export interface TreeItemMarks {
  readonly isOpen: boolean;
  readonly isShown: boolean;
  readonly isDirty: boolean;
  readonly changes: number;
}

export function TreeItem(props: {
  readonly id: string;
  readonly row: TreeRow;
  readonly isActive: boolean;
  readonly marks: TreeItemMarks;
  readonly onPress: () => void;
  readonly onMenu: (event: MouseEvent) => void;
}) {
  /** What the dot and the number say, for those who do not see them. */
  const marksInWords = () => {
    const { isDirty, changes } = props.marks;
    const words = [
      ...(isDirty ? ["not saved"] : []),
      ...(changes > 0 ? [`${plural(changes, "change")} to review`] : []),
    ];
    return words.join(", ");
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree itself has the focus and the keys.
    <div
      class="tree-item hovers row"
      classList={{
        active: props.isActive,
        shown: props.marks.isShown,
        open: props.marks.isOpen,
      }}
      id={props.id}
      role="treeitem"
      tabIndex={-1}
      aria-level={props.row.level}
      aria-posinset={props.row.position}
      aria-setsize={props.row.siblings}
      aria-expanded={props.row.isFolder ? props.row.isExpanded : undefined}
      aria-selected={props.marks.isShown}
      style={{ "padding-inline-start": `${0.5 + (props.row.level - 1) * 0.875}rem` }}
      title={props.row.node.path}
      onClick={() => props.onPress()}
      onContextMenu={(event) => props.onMenu(event)}
    >
      <span class="tree-chevron faint" classList={{ turned: props.row.isExpanded }} aria-hidden="true">
        <Show when={props.row.isFolder}>
          <ChevronIcon size={14} />
        </Show>
      </span>
      <span class="tree-icon faint" aria-hidden="true">
        <Dynamic component={iconOf(props.row)} size={15} />
      </span>
      <span class="tree-name ellipsis grow">
        <MarkedText text={props.row.node.name} marks={props.row.marks} />
      </span>
      <Show when={props.marks.isDirty}>
        <span class="tree-dirty" aria-hidden="true" />
      </Show>
      <Show when={props.marks.changes > 0}>
        <span class="badge waiting" aria-hidden="true">
          {props.marks.changes > 999 ? "999+" : props.marks.changes}
        </span>
      </Show>
      <span class="unseen">{marksInWords()}</span>
    </div>
  );
}

function iconOf(row: TreeRow) {
  if (row.isFolder) return row.isExpanded ? FolderOpenIcon : FolderIcon;
  if (/\.(md|markdown|txt|rst|adoc|org|tex)$/i.test(row.node.name)) return TextIcon;
  if (/\.(png|jpe?g|gif|webp|svg|avif|bmp|ico|tiff?)$/i.test(row.node.name)) return ImageIcon;
  return /\.(?!(pdf|docx?|odt|rtf|epub|zip|gz)$)[a-z]{1,5}$/i.test(row.node.name) ? CodeIcon : FileIcon;
}
