// The keys of the tree of a session.

export const treeActions = {
  "tree.up": { keys: ["up"], help: "The entry above; from the first one, the last" },
  "tree.down": { keys: ["down"], help: "The entry below; from the last one, the first" },
  "tree.pageUp": { keys: ["left", "pageUp"], help: "One page up" },
  "tree.pageDown": { keys: ["right", "pageDown"], help: "One page down" },
  "tree.select": { keys: ["enter"], help: "Go on from the entry" },
  "tree.back": { keys: ["escape"], help: "Clear the search; without one, close" },
  "tree.close": { keys: ["ctrl+c"], help: "Close" },
  "tree.label": { keys: ["shift+l"], help: "Name the entry; an empty name takes it away" },
  "tree.filter.next": { keys: ["ctrl+o"], help: "The next filter" },
  "tree.filter.previous": { keys: ["shift+ctrl+o"], help: "The previous filter" },
  "tree.filter.default": { keys: ["alt+d"], help: "What was said and done" },
  "tree.filter.noTools": { keys: ["alt+t"], help: "Without results of tools" },
  "tree.filter.user": { keys: ["alt+u"], help: "Only your own messages" },
  "tree.filter.labeled": { keys: ["alt+l"], help: "Only what has a name" },
  "tree.filter.all": { keys: ["alt+a"], help: "Everything, also what was set" },
} as const satisfies Readonly<Record<string, { readonly keys: readonly string[]; readonly help: string }>>;

export type TreeAction = keyof typeof treeActions;
