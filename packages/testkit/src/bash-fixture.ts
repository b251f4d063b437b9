// The tools of toolset code that run commands, over a real folder and real shells.

import type { TestContext } from "node:test";
import { type AgentBackground, Background } from "@stet/agent/background/background";
import type { Clock } from "@stet/agent/timers/clock";
import { cronTools } from "@stet/tools/code/background/cron";
import { job } from "@stet/tools/code/background/job";
import { monitor } from "@stet/tools/code/background/monitor";
import { bash } from "@stet/tools/code/bash/bash";
import type { BashContext, BashTool } from "@stet/tools/code/bash/bash-context";
import type { CommandTarget } from "@stet/tools/permission/permission-rule";
import { Commands } from "@stet/workspace/commands/commands";
import { type CodeFixture, type CodeFixtureOptions, openCodeFixture } from "./code-fixture.ts";

export interface BashFixture extends CodeFixture {
  readonly whole: Background;
  readonly background: AgentBackground;
  readonly targets: CommandTarget[];
  readonly commands: () => Commands;
}

export interface BashFixtureOptions extends CodeFixtureOptions {
  readonly inSandbox?: boolean;
  readonly isReadOnly?: boolean;
  readonly network?: boolean;
  readonly permitCommand?: BashContext["permitCommand"];
  readonly changed?: readonly string[];
  readonly environment?: Record<string, string>;
  readonly isAsync?: boolean;
  readonly clock?: Clock;
}

export async function openBashFixture(
  t: TestContext,
  options: BashFixtureOptions = {},
): Promise<BashFixture> {
  const targets: CommandTarget[] = [];
  let commands: Commands | undefined;
  t.after(() => commands?.close());
  const { maxJobs = 100 } = options.settings ?? {};
  const { isAsync = false, clock } = options;
  const whole = new Background({ isAsync, maxJobs, clock });
  const background = whole.of("main");
  const get = (context: Pick<BashContext, "workspace" | "settings">): Commands => {
    commands ??= new Commands({
      root: context.workspace.root,
      stateFolder: context.workspace.stateFolder,
      environment: { ...process.env, ...options.environment },
      isSandboxed: true,
    });
    return commands;
  };
  const withCommands =
    (tool: BashTool) =>
    (context: Omit<BashContext, "commands" | "background" | "permitCommand" | "aroundCommand">) =>
      tool({
        ...context,
        background,
        get commands() {
          return get(context);
        },
        async permitCommand(call, target) {
          targets.push(target);
          if (options.permitCommand !== undefined) return options.permitCommand(call, target);
          const { inSandbox = false, network = target.network } = options;
          return {
            isSandboxed: inSandbox,
            network,
            isReadOnly: (options.isReadOnly ?? false) && !target.writes,
          };
        },
        aroundCommand: async (_, action) => ({
          result: await action(),
          changed: options.changed ?? [],
          lost: [],
        }),
      });
  const tools = [bash, job, monitor].map(withCommands);
  const timers = cronTools(background).map((tool) => () => tool);
  const fixture = await openCodeFixture(t, [...tools, ...timers], options);
  return { ...fixture, targets, whole, background, commands: () => get(fixture.context) };
}
