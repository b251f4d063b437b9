// The panels on the left, and what is behind each.

import FilesIcon from "lucide-solid/icons/files";
import ReviewIcon from "lucide-solid/icons/list-checks";
import ListTreeIcon from "lucide-solid/icons/list-tree";
import HistoryIcon from "lucide-solid/icons/rotate-ccw-clock";
import SearchIcon from "lucide-solid/icons/search";
import { type Component, createMemo, lazy, Suspense } from "solid-js";
import { Dynamic } from "solid-js/web";
import { FilesPanel } from "../files/files-panel.tsx";
import { Resizer } from "../ui/resizer.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { type LeftPanel, usualLayout } from "./layout.ts";

const SearchPanel = lazy(async () => ({ default: (await import("../search/search-panel.tsx")).SearchPanel }));
const OutlinePanel = lazy(async () => ({
  default: (await import("../outline/outline-panel.tsx")).OutlinePanel,
}));
const ReviewPanel = lazy(async () => ({ default: (await import("../review/review-panel.tsx")).ReviewPanel }));
const HistoryPanel = lazy(async () => ({
  default: (await import("../history/history-panel.tsx")).HistoryPanel,
}));

export interface Panel {
  readonly id: LeftPanel;
  readonly title: string;
  readonly icon: Component<{ readonly size?: number }>;
  readonly content: Component;
}

export const panels: readonly Panel[] = [
  { id: "files", title: "Files", icon: FilesIcon, content: FilesPanel },
  { id: "search", title: "Search", icon: SearchIcon, content: SearchPanel },
  { id: "outline", title: "Outline", icon: ListTreeIcon, content: OutlinePanel },
  { id: "review", title: "Review", icon: ReviewIcon, content: ReviewPanel },
  { id: "history", title: "History", icon: HistoryIcon, content: HistoryPanel },
];

export function LeftSide(props: { readonly id: LeftPanel }) {
  const { layout } = useWorkbench();
  const panel = createMemo(() => panels.find(({ id }) => id === props.id));
  return (
    <div
      class="left-panel"
      data-region="panel"
      {...layout.landmark("panel", panel()?.title ?? "")}
      style={{ width: `${layout.state.leftWidth}px` }}
    >
      <Suspense>
        <Dynamic component={panel()?.content} />
      </Suspense>
      <Resizer
        side="end"
        label="Width of the panel"
        width={layout.state.leftWidth}
        usual={usualLayout.leftWidth}
        least={180}
        onResize={(leftWidth) => layout.set({ leftWidth })}
      />
    </div>
  );
}
