// Every route of the API. The server refuses to start where one of them is not implemented.

import { agentRoutes } from "./agent.ts";
import { agentsRoutes } from "./agents.ts";
import { backgroundRoutes } from "./background.ts";
import { chatRoutes } from "./chat.ts";
import { modelRoutes } from "./models.ts";
import { reviewRoutes } from "./review.ts";
import { sessionFileRoutes } from "./session-files.ts";
import { sessionStateRoutes } from "./session-state.ts";
import { sessionRoutes } from "./sessions.ts";
import { tabRoutes } from "./tabs.ts";
import { workspaceRoutes } from "./workspace.ts";

export const routes = {
  ...sessionRoutes,
  ...sessionFileRoutes,
  ...sessionStateRoutes,
  ...agentRoutes,
  ...agentsRoutes,
  ...backgroundRoutes,
  ...reviewRoutes,
  ...tabRoutes,
  ...workspaceRoutes,
  ...modelRoutes,
  ...chatRoutes,
};

export type Routes = typeof routes;
export type RouteName = keyof Routes;
