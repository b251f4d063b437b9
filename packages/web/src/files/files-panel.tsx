// The folder. The tree has the focus as a whole and names the row that is meant, so that rows may come and go while one
// scrolls.

import CollapseIcon from "lucide-solid/icons/chevrons-down-up";
import MoreIcon from "lucide-solid/icons/ellipsis-vertical";
import NewIcon from "lucide-solid/icons/file-plus";
import { createEffect, createMemo, createSignal, on, Show } from "solid-js";
import { Virtualizer, type VirtualizerHandle } from "virtua/solid";
import { openCounts } from "../review/open-count.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { treeStep } from "../ui/tree-keys.ts";
import { useWorkbench } from "../workspace/workbench.ts";
import { askNewFile, createFile, deleteFile, newFileIn, renameFile } from "./file-actions.ts";
import { fileListOf, maxFiles } from "./file-list.ts";
import { showFileMenu } from "./file-menu.ts";
import {
  buildTree,
  filteredRows,
  foldersAbove,
  sumsByPath,
  type TreeNode,
  type TreeRow,
  treeRows,
  typedAhead,
} from "./file-tree.ts";
import { NameField } from "./name-field.tsx";
import { openFoldersOf } from "./open-folders.ts";
import { TreeItem } from "./tree-item.tsx";
import "./files-panel.css";

const typeAheadMs = 700;

export function FilesPanel() {
  const workbench = useWorkbench();
  const list = fileListOf(workbench);
  const folders = openFoldersOf(workbench.state.root);
  const [filter, setFilter] = createSignal("");
  const [active, setActive] = createSignal<string | undefined>();
  const [renaming, setRenaming] = createSignal<string | undefined>();
  let panel!: HTMLElement;
  let tree!: HTMLDivElement;
  let more!: HTMLButtonElement;
  let scroller: VirtualizerHandle | undefined;
  let typed = { text: "", at: 0 };

  const paths = () => list.paths() ?? [];
  const root = createMemo(() => {
    const known = paths();
    if (list.paths() !== undefined) folders.start(known);
    return buildTree(known);
  });
  const found = createMemo(() => (filter().trim() === "" ? undefined : filteredRows(root(), filter())));
  const computed = createMemo(() => found()?.rows ?? treeRows(root(), (path) => folders.paths().has(path)));
  // While a name is typed, the rows stay as they are: the field would lose what is in it.
  const rows = createMemo<TreeRow[]>((before) => (renaming() === undefined ? computed() : before), []);
  const keyRows = createMemo(() =>
    rows().map(({ level, isFolder, isExpanded }) => ({ level, isOpen: isFolder ? isExpanded : undefined })),
  );
  const activeIndex = createMemo(() => rows().findIndex(({ node }) => node.path === active()));
  const shownPath = createMemo(() => workbench.activeTab()?.path ?? undefined);
  const openPaths = createMemo(() => new Set(workbench.state.tabs.map((tab) => tab.path)));
  const dirty = createMemo(() => sumsByPath(workbench.unsavedFiles().map(({ path }) => [path, 1])));
  const counts = createMemo(() => openCounts(workbench));
  const changes = createMemo(() =>
    sumsByPath(
      workbench.state.review.files.flatMap((file) =>
        file.file_path ? [[file.file_path, counts().get(file.document) ?? 0]] : [],
      ),
    ),
  );

  const moveTo = (index: number) => {
    const row = rows()[index];
    if (row === undefined) return;
    setActive(row.node.path);
    scroller?.scrollToIndex(index, { align: "nearest" });
  };
  // The best of what a filter finds is what Enter opens.
  createEffect(() => {
    const best = found()?.best;
    if (best === undefined) return;
    setActive(best);
    queueMicrotask(() => moveTo(activeIndex()));
  });
  // What is in front is shown in the tree, wherever it is. Memos compare: a list that is read again takes the active row
  // from nobody who has moved on by keyboard.
  const isListed = createMemo(() => paths().some((path) => path === shownPath()));
  createEffect(
    on([shownPath, isListed], ([path, isInTree]) => {
      if (path === undefined || !isInTree || filter() !== "") return;
      folders.open(...foldersAbove(path));
      setActive(path);
      queueMicrotask(() => moveTo(activeIndex()));
    }),
  );

  const press = (row: TreeRow) => {
    setActive(row.node.path);
    if (!row.isFolder) void workbench.openFile(row.node.path);
    else if (found() === undefined) folders.toggle(row.node.path);
  };
  const menuFor = (node: TreeNode | undefined, at: { x: number; y: number } | Element) => {
    if (node !== undefined) setActive(node.path);
    showFileMenu({
      workbench,
      node,
      at,
      isNamed: at === more,
      panel: more,
      startNew: askNewFile,
      startRename: setRenaming,
    });
  };
  const remove = (row: TreeRow) => {
    const index = activeIndex();
    void deleteFile(workbench, row.node.path).then(() => moveTo(Math.min(index, rows().length - 1)));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== tree || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = treeStep(keyRows(), activeIndex(), event.key);
    const row = rows()[activeIndex()];
    const isMenu = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
    if (step?.do === "move") moveTo(step.to);
    else if (row === undefined) return typeAhead(event);
    else if (step?.do === "open") folders.open(row.node.path);
    else if (step?.do === "close") folders.close(row.node.path);
    else if (step?.do === "press") press(row);
    else if (event.key === "F2") setRenaming(row.node.path);
    else if (event.key === "Delete") remove(row);
    else if (isMenu) menuFor(row.node, document.getElementById(idOf(activeIndex())) ?? tree);
    else return typeAhead(event);
    event.preventDefault();
    event.stopPropagation();
  };
  const typeAhead = (event: KeyboardEvent) => {
    if (event.key.length !== 1) return;
    const now = Date.now();
    typed = { text: (now - typed.at < typeAheadMs ? typed.text : "") + event.key, at: now };
    const index = typedAhead(rows(), activeIndex(), typed.text);
    if (index !== undefined) moveTo(index);
    event.preventDefault();
  };
  const leaveField = () => {
    // Asked before the field goes, and the focus with it. Whoever clicked somewhere else wants to be there.
    const wasHere = panel.contains(document.activeElement);
    setRenaming(undefined);
    askNewFile(undefined);
    if (wasHere) tree.focus();
  };
  const idOf = (index: number) => `file-${index}`;

  const newFolder = () => (newFileIn() ? `${newFileIn()}/` : "");
  const startNew = () => askNewFile(active() === undefined ? "" : folderOf(root(), active() ?? ""));

  return (
    <section class="panel files" ref={panel}>
      <div class="panel-head">
        <h2 title={workbench.state.root}>{workbench.state.name}</h2>
        <IconButton icon={NewIcon} label="New file" onPress={startNew} />
        <IconButton icon={CollapseIcon} label="Close all folders" onPress={() => folders.closeAll()} />
        <IconButton
          icon={MoreIcon}
          label="More about files"
          ref={more}
          aria-haspopup="menu"
          title="More"
          onPress={() => menuFor(rows()[activeIndex()]?.node, more)}
        />
      </div>
      <div class="files-filter">
        <Field
          type="search"
          placeholder="Filter"
          label="Filter files"
          value={filter()}
          onType={setFilter}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") tree.focus();
            else if (event.key === "Enter") {
              const row = rows()[activeIndex()];
              if (row !== undefined) press(row);
            } else if (event.key === "Escape" && filter() !== "") setFilter("");
            else return;
            event.preventDefault();
          }}
        />
      </div>
      <Show when={newFileIn() !== undefined}>
        <div class="files-new">
          <NameField
            label="Name of the new file"
            value={newFolder()}
            selected={[newFolder().length, newFolder().length]}
            onTake={(path) => createFile(workbench, path)}
            onLeave={leaveField}
          />
        </div>
      </Show>
      <Show when={list.fault()}>
        {(fault) => (
          <p class="files-fault" role="alert">
            {fault().message} {fault().suggestion}{" "}
            <Button small onPress={() => list.load()}>
              Try again
            </Button>
          </p>
        )}
      </Show>
      <div
        class="panel-body tree"
        ref={tree}
        role="tree"
        tabIndex={0}
        aria-label="Files"
        aria-activedescendant={activeIndex() >= 0 ? idOf(activeIndex()) : undefined}
        onKeyDown={onKeyDown}
        onMouseDown={(event) => {
          if (event.target instanceof HTMLInputElement) return;
          // Rows come and go; the focus stays with the tree.
          event.preventDefault();
          tree.focus({ preventScroll: true });
        }}
        onContextMenu={(event) => {
          event.preventDefault();
          if (event.target === tree) menuFor(undefined, { x: event.clientX, y: event.clientY });
        }}
      >
        <Virtualizer
          ref={(handle) => {
            scroller = handle;
          }}
          data={rows()}
          itemSize={28}
          keepMounted={activeIndex() >= 0 ? [activeIndex()] : []}
        >
          {(row, index) => (
            <Show
              when={renaming() === row.node.path}
              fallback={
                <TreeItem
                  id={idOf(index())}
                  row={row}
                  isActive={active() === row.node.path}
                  marks={{
                    isOpen: openPaths().has(row.node.path),
                    isShown: shownPath() === row.node.path,
                    isDirty: !row.isExpanded && dirty().has(row.node.path),
                    changes: row.isExpanded ? 0 : (changes().get(row.node.path) ?? 0),
                  }}
                  onPress={() => press(row)}
                  onMenu={(event) => {
                    event.preventDefault();
                    menuFor(row.node, { x: event.clientX, y: event.clientY });
                  }}
                />
              }
            >
              <NameField
                level={row.level}
                label={`New name of ${row.node.name}`}
                value={row.node.name}
                selected={[0, stemLength(row)]}
                onTake={async (name) => {
                  const to = [...row.node.path.split("/").slice(0, -1), name].join("/");
                  const refused = await renameFile(workbench, row.node.path, to);
                  if (refused === undefined) setActive(to);
                  return refused;
                }}
                onLeave={leaveField}
              />
            </Show>
          )}
        </Virtualizer>
        <Show when={list.paths() !== undefined && rows().length === 0}>
          <p class="empty-note">
            {filter() === "" ? "The folder has no files yet." : "No file fits this filter."}
          </p>
        </Show>
      </div>
      <Show when={list.isCut()}>
        <p class="files-cut faint">Only the first {maxFiles.toLocaleString("en")} files are listed.</p>
      </Show>
    </section>
  );
}

/** The folder that a new file goes into: the chosen one, or the one of the chosen file. */
function folderOf(root: TreeNode, path: string): string {
  const parts = path.split("/");
  let node: TreeNode | undefined = root;
  for (const part of parts) node = node?.children?.find(({ name }) => name === part);
  return node?.children === undefined ? parts.slice(0, -1).join("/") : path;
}

/** A name is typed anew without its ending. */
function stemLength({ node, isFolder }: TreeRow): number {
  const dot = node.name.lastIndexOf(".");
  return isFolder || dot <= 0 ? node.name.length : dot;
}
