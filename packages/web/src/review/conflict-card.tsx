// One conflict: three sides, a choice, and the result, which can be edited.

import { For } from "solid-js";
import { Button } from "../ui/button.tsx";
import { type Choice, type ConflictPart, type ConflictSides, linesOf } from "./conflict.ts";

const sideTitles: readonly (readonly [keyof ConflictSides, string])[] = [
  ["ours", "Yours"],
  ["base", "As last saved"],
  ["theirs", "The file on disk"],
];

const choices: readonly (readonly [Choice, string])[] = [
  ["mine", "Use mine"],
  ["file", "Use the file’s"],
  ["both", "Use both"],
];

export function ConflictCard(props: {
  readonly conflict: ConflictPart;
  readonly count: number;
  readonly answer: readonly string[] | undefined;
  readonly onAnswer: (lines: readonly string[]) => void;
}) {
  const { index, line, sides } = props.conflict;
  const id = `conflict-${index}`;
  const isChosen = (choice: Choice) => props.answer?.join("\n") === linesOf(choice, sides).join("\n");
  return (
    <section
      class="conflict-card card"
      classList={{ settled: props.answer !== undefined }}
      aria-labelledby={id}
    >
      <h3 id={id}>
        Conflict {index + 1} of {props.count} <span class="faint">at line {line}</span>
      </h3>
      <div class="conflict-sides">
        <For each={sideTitles}>
          {([side, title]) => (
            <div class={`conflict-side ${side}`}>
              <h4>{title}</h4>
              <pre tabindex={0}>{sides[side].length === 0 ? "(no lines)" : sides[side].join("\n")}</pre>
            </div>
          )}
        </For>
      </div>
      <div class="conflict-choices cluster">
        <For each={choices}>
          {([choice, label]) => (
            <Button
              small
              aria-pressed={isChosen(choice)}
              onPress={() => props.onAnswer(linesOf(choice, sides))}
            >
              {label}
            </Button>
          )}
        </For>
      </div>
      <label class="conflict-result soft">
        <span>Result, which you can edit</span>
        <textarea
          class="field"
          rows={Math.min(12, Math.max(2, (props.answer ?? sides.ours).length + 1))}
          placeholder="Choose a side, or write what should stand here."
          value={props.answer?.join("\n") ?? ""}
          onInput={(event) => props.onAnswer(event.currentTarget.value.split("\n"))}
        />
      </label>
    </section>
  );
}
