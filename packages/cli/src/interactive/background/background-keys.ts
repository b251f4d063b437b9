// The keys of /agents and /jobs, as rows of the table of keys.

type Rows = Readonly<Record<string, { readonly keys: readonly string[]; readonly help: string }>>;

export const agentsActions = {
  "agents.up": { keys: ["up", "k"], help: "The agent above; in a conversation, one row up" },
  "agents.down": { keys: ["down", "j"], help: "The agent below; in a conversation, one row down" },
  "agents.pageUp": { keys: ["pageUp"], help: "One page up" },
  "agents.pageDown": { keys: ["pageDown", "space"], help: "One page down" },
  "agents.top": { keys: ["home"], help: "To the beginning" },
  "agents.bottom": { keys: ["end"], help: "To the end, and follow what comes" },
  "agents.open": { keys: ["enter", "right"], help: "Read its conversation, as it goes on" },
  "agents.tell": {
    keys: ["t"],
    help: "Say something to it: it is steered while it works, and asked again once it has ended",
  },
  "agents.stop": { keys: ["x"], help: "Stop it, and whoever works for it, after a question" },
  "agents.kinds": { keys: ["tab"], help: "Which agents there are and where each comes from, and back" },
  "agents.back": { keys: ["escape", "left"], help: "Back; from the list, close" },
  "agents.close": { keys: ["q", "ctrl+c"], help: "Close" },
} as const satisfies Rows;

export const jobsActions = {
  "jobs.up": { keys: ["up", "k"], help: "The row above; in an output, one row up" },
  "jobs.down": { keys: ["down", "j"], help: "The row below; in an output, one row down" },
  "jobs.pageUp": { keys: ["pageUp"], help: "One page up" },
  "jobs.pageDown": { keys: ["pageDown", "space"], help: "One page down" },
  "jobs.open": { keys: ["enter", "right"], help: "Look at its output, or at all of what waits" },
  "jobs.stop": {
    keys: ["x"],
    help: "Stop the command or the monitor, or remove the timer, after a question",
  },
  "jobs.tell": { keys: ["t"], help: "Tell the agent now of what is selected" },
  "jobs.tellAll": { keys: ["shift+t"], help: "Tell the agent now of everything that waits" },
  "jobs.dismiss": { keys: ["d"], help: "Drop what is selected: the agent is not told" },
  "jobs.dismissAll": { keys: ["shift+d"], help: "Drop everything that waits" },
  "jobs.back": { keys: ["escape", "left"], help: "Back; from the list, close" },
  "jobs.close": { keys: ["q", "ctrl+c"], help: "Close" },
} as const satisfies Rows;

export type AgentsAction = keyof typeof agentsActions;
export type JobsAction = keyof typeof jobsActions;
