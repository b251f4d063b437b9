// Whether the tools of one session may do what they are about to do. Asks the person where neither the mode nor a rule
// decides, one question after another.

import { aborted } from "@stet/agent/call-tool";
import type { ToolContext } from "@stet/agent/tool";
import { Fault, isFault } from "@stet/protocol/fault";
import type { PermissionMode } from "@stet/protocol/permission-mode";
import type { Permission } from "@stet/protocol/question";
import { noAnswer, optionOf } from "@stet/protocol/question-text";
import { isSecretPath } from "@stet/workspace/files/secret-names";
import { homeFolder } from "@stet/workspace/files/state-folder";
import type { Workspace } from "@stet/workspace/workspace";
import type { AskPerson } from "../capabilities.ts";
import { entriesOnDisk, gitOnDisk } from "./folder-entries.ts";
import { type Judgement, type JudgeSetting, judge } from "./judge.ts";
import type { ReadEffect } from "./left-out.ts";
import { realPathOnDisk } from "./path-context.ts";
import type { CommandPermit, CommandTarget, PermissionRequest, PermissionRule } from "./permission-rule.ts";
import { addProjectRules, listProjectRules } from "./project-rules.ts";
import { questionOf, type Running } from "./question.ts";
import { rulesFor } from "./remembered-rules.ts";
import type { SessionRules } from "./session-rules.ts";
import type { ShellKind } from "./shell-step.ts";

export interface PermissionsOptions {
  readonly workspace: Pick<Workspace, "root" | "stateFolder">;
  /** As it is now: the person may choose another one while a turn runs. */
  readonly mode: () => PermissionMode;
  /** The person's own rules, from their settings. */
  readonly rules: readonly PermissionRule[];
  readonly session: { readonly id: string; readonly rules: SessionRules };
  readonly ask: AskPerson;
  /** Whether someone is there who can answer. */
  readonly isInteractive: boolean;
  /** Whether commands can be run in a sandbox, and are to be. */
  readonly hasSandbox: () => boolean;
  readonly sandboxNetwork: boolean;
  /** Whether commands in the sandbox see a path outside of the root. */
  readonly isShown?: ((path: string) => boolean) | undefined;
  readonly programs: {
    /** The shell that commands are run by. */
    shell(): ShellKind;
    /** Whether the program that commands find under a name could have been written by one of them. */
    isWritable(name: string): boolean;
  };
  /** Tells the person of a file of rules that cannot be used. */
  readonly tell?: (message: string) => void;
}

export class Permissions {
  readonly #options: PermissionsOptions;
  /** Questions wait for the one before. */
  #lastQuestion: Promise<unknown> = Promise.resolve();
  /** Answers of the last batch: the same question is asked once. */
  #answers = new Map<string, Promise<Judgement | Fault>>();
  #batch = "";
  #told: string | undefined;

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  get mode(): PermissionMode {
    return this.#options.mode();
  }

  /** Undefined means allowed. */
  async permit(request: PermissionRequest, call: ToolContext): Promise<Fault | undefined> {
    const settled = await this.#settle(request, call);
    return isFault(settled) ? settled : undefined;
  }

  async permitCommand(call: ToolContext, target: CommandTarget): Promise<CommandPermit | Fault> {
    const request: PermissionRequest = { tool: "bash", targets: [{ kind: "command", ...target }] };
    const settled = await this.#settle(request, call);
    if (isFault(settled)) return settled;
    const isReadOnly = settled.isReadOnly || this.mode === "plan";
    return { ...this.#runningOf(target, settled), isReadOnly };
  }

  /** The judgement by which it is allowed: what was asked for, and where it was said to run. The disk may be another since. */
  async #settle(request: PermissionRequest, call: ToolContext): Promise<Judgement | Fault> {
    const judgement = await this.#judge(request);
    if (judgement.effect === "allow") return judgement;
    if (judgement.effect === "deny") return this.#denied(request, judgement);
    return this.#askOnce(request, call);
  }

  /** What a tool would be told for each file that it comes by; the rules are those of now. */
  readEffect(tool: string): ReadEffect {
    const setting = this.#setting();
    const isFree = [...setting.rules, ...setting.remembered].every(({ effect }) => effect === "allow");
    const isPlain = (path: string) => !path.startsWith("/") && !isSecretPath(path) && isFree;
    // Most files are neither secret nor ruled, and there may be many: where links lead was looked at by who found them.
    return (path) =>
      isPlain(path)
        ? "allow"
        : judge({ tool, targets: [{ kind: "path", path, access: "read" }] }, setting).effect;
  }

  async #judge(request: PermissionRequest): Promise<Judgement> {
    if (request.targets.every((target) => target.kind !== "command")) return judge(request, this.#setting());
    const { examineCommand } = await import("./examine-command.ts");
    return judge(request, this.#setting(), examineCommand);
  }

  #setting(): JudgeSetting {
    const { hasSandbox, rules, sandboxNetwork, session, workspace } = this.#options;
    const project = listProjectRules(workspace.stateFolder);
    if (project.problem !== undefined && project.problem !== this.#told)
      this.#options.tell?.(project.problem);
    this.#told = project.problem;
    return {
      mode: this.mode,
      rules,
      remembered: [...project.rules, ...session.rules.list(session.id)],
      // Looked for where a judgement asks for it: most calls only read or edit files.
      get hasSandbox() {
        return hasSandbox();
      },
      sandboxNetwork,
      isShown: this.#options.isShown,
      place: {
        root: workspace.root.path,
        home: homeFolder(),
        realPath: realPathOnDisk,
        entriesIn: entriesOnDisk,
        git: gitOnDisk(workspace.root.path),
        shell: this.#options.programs.shell(),
        isWritableProgram: (name) => this.#options.programs.isWritable(name),
      },
    };
  }

  #runningOf({ network }: CommandTarget, { leavesSandbox }: Judgement): Running {
    // Where everything is allowed, every command runs outside: /tmp and the network are then the same for all of a turn.
    const isSandboxed = this.#options.hasSandbox() && this.mode !== "full" && !leavesSandbox;
    return { isSandboxed, network: network || !isSandboxed };
  }

  #askOnce(request: PermissionRequest, call: ToolContext): Promise<Judgement | Fault> {
    if (call.batch !== this.#batch) this.#answers = new Map();
    this.#batch = call.batch;
    const key = JSON.stringify(request);
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#lastQuestion.then(() => this.#askNow(request, call));
    this.#lastQuestion = answer.catch(() => undefined);
    this.#answers.set(key, answer);
    return answer;
  }

  async #askNow(request: PermissionRequest, call: ToolContext): Promise<Judgement | Fault> {
    if (call.signal.aborted) return aborted();
    // The answer to the question before may have settled this one.
    const judgement = await this.#judge(request);
    if (judgement.effect === "allow") return judgement;
    if (judgement.effect === "deny") return this.#denied(request, judgement);
    if (!this.#options.isInteractive) return this.#unanswered(request, judgement);
    const [target] = request.targets;
    const running = target?.kind === "command" ? this.#runningOf(target, judgement) : undefined;
    const asked = judgement.parts.filter((part) => part.effect === "ask");
    const rules = rulesFor(request.tool, asked);
    const question = questionOf(request, call, judgement, rules, running);
    const said = await this.#options.ask(question, call.signal, call.callId);
    if (call.signal.aborted) return aborted();
    if (said === noAnswer) return this.#unanswered(request, judgement);
    return this.#heed(said, question, rules ?? [], request) ?? judgement;
  }

  #heed(
    said: string,
    question: Permission,
    rules: readonly PermissionRule[],
    { tool }: PermissionRequest,
  ): Fault | undefined {
    // Only the options themselves allow anything; other words deny, and say what to do instead.
    const option = optionOf(question, said);
    if (option === undefined || option.kind === "deny") {
      const words = option === undefined ? said.trim() : "";
      const refused = `The person did not allow ${tool} to do this.`;
      const message = words === "" ? refused : `${refused} They said: ${words}`;
      const suggestion =
        "Do what they said, or find another way that they may like better. Do not try the same again.";
      return new Fault("not_allowed", message, suggestion, { tool });
    }
    const { session, workspace } = this.#options;
    if (option.kind === "allow_session") session.rules.add(session.id, rules);
    if (option.kind === "allow_project") {
      const fault = addProjectRules(workspace.stateFolder, rules);
      if (fault !== undefined) {
        // It was allowed nevertheless, and need not be asked again today.
        session.rules.add(session.id, rules);
        this.#options.tell?.(`The rule could not be kept, and holds for this session only. ${fault.message}`);
      }
    }
    return undefined;
  }

  #denied({ tool }: PermissionRequest, { parts }: Judgement): Fault {
    const reasons = told(parts.filter((part) => part.effect === "deny"));
    if (this.mode === "plan") {
      const message = `In mode plan nothing is changed, and only commands that read are run. Not allowed:\n${reasons}`;
      const suggestion = "Say what you would do, and let the person choose another mode.";
      return new Fault("not_allowed", message, suggestion, { tool, mode: this.mode });
    }
    const suggestion =
      "Do it in another way, or tell the person which rule is in the way. Do not try to get around it.";
    return new Fault("not_allowed", `A rule of the person denies this:\n${reasons}`, suggestion, { tool });
  }

  #unanswered({ tool }: PermissionRequest, { parts }: Judgement): Fault {
    const asked = parts.filter((part) => part.effect === "ask");
    const rules = rulesFor(tool, asked) ?? [];
    const [rule] = rules;
    const example =
      rule === undefined ? "" : ` (such as ${rules.map((each) => JSON.stringify(each)).join(", ")})`;
    const message = `This needs permission, and nobody answered:\n${told(asked)}`;
    const suggestion = `Go on without it, and tell the person that they can allow it with a rule in the setting permission.rules${example}, with another permission.mode, or with --permission MODE (plan, ask, auto-edit, full).`;
    return new Fault("not_allowed", message, suggestion, { tool, rules });
  }
}

function told(parts: Judgement["parts"]): string {
  const lines = new Set(parts.map(({ source, why }) => `- ${source.slice(0, 200)}: ${why}`));
  return [...lines].slice(0, 20).join("\n");
}
