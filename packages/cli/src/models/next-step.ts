// What to do after a model failed, by the field of its connection that has to be mended: one step, as a command to type and as
// one of the prompt.

import type { ModelField } from "@stet/protocol/model-stream";
import { visibleName } from "@stet/protocol/visible";

/** As failures and faults name it. */
export interface BrokenField {
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
  readonly field?: ModelField | undefined;
}

export interface NextStep {
  /** What it does, for a key that is offered. */
  readonly label: string;
  /** Typed into a shell. */
  readonly command: string;
  /** Of the prompt. */
  readonly slash: { readonly name: "login" | "model" | "compact"; readonly argument: string };
}

/** Undefined where nothing of the connection is wrong. */
export function nextStep({ provider = "", field }: BrokenField): NextStep | undefined {
  const name = visibleName(provider);
  const login = (label: string, options = ""): NextStep => ({
    label,
    command: `stet login ${name}${options}`,
    slash: { name: "login", argument: name },
  });
  if (field === undefined) return undefined;
  if (field !== "context" && field !== "model" && name === "") return otherModel("Choose another model");
  switch (field) {
    case "key":
      return login(`Give a key for ${name}`);
    case "address":
      return login(`Give the address of ${name}`, " --address URL");
    case "server":
      return login(`Start ${name} and try it, or give its address`);
    // Credit and regions are set on the provider's page: what helps here is another key, or another model.
    case "account":
    case "package":
      return otherModel("Choose another model");
    case "model":
      return otherModel("Choose another model");
    case "context":
      return {
        label: "Sum up what was said, to make room",
        command: "stet sessions compact",
        slash: { name: "compact", argument: "" },
      };
  }
}

function otherModel(label: string): NextStep {
  return { label, command: "stet models", slash: { name: "model", argument: "" } };
}

/** As it is written in the prompt. */
export function slashText({ slash: { name, argument } }: NextStep): string {
  return argument === "" ? `/${name}` : `/${name} ${argument}`;
}
