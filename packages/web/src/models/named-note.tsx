// Below a list in which nothing fits: what is typed may be used all the same, or what is wrong with it.

import { Match, Switch } from "solid-js";
import { Button } from "../ui/button.tsx";
import { mendWords } from "./fault-field.ts";
import { openMend } from "./model-dialog-state.ts";
import { shownModel } from "./model-words.ts";
import type { NamedModel } from "./named-model.ts";

export function NamedNote(props: {
  readonly id: string;
  readonly named: NamedModel | undefined;
  readonly onUse: () => void;
  /** Before something else comes to the front. */
  readonly onLeave: () => void;
}) {
  const as = <Kind extends NamedModel["kind"]>(kind: Kind) => {
    const { named } = props;
    return named?.kind === kind ? (named as Extract<NamedModel, { kind: Kind }>) : undefined;
  };
  const mend = () => as("problem")?.mend;
  return (
    <div class="models-note" id={props.id}>
      <Switch
        fallback={<p class="faint">No model fits. One that is in no list can be typed as provider/name.</p>}
      >
        <Match when={as("offer")}>
          {(offer) => (
            <>
              <p>{offer().note}</p>
              <Button small class="named" title={offer().name} onPress={() => props.onUse()}>
                Use {shownModel(offer().name)} all the same
              </Button>
            </>
          )}
        </Match>
        <Match when={as("problem")}>
          {(problem) => (
            <>
              <p class="models-fault" role="alert">
                {problem().message}
              </p>
              {mend() === undefined ? undefined : (
                <Button
                  small
                  onPress={() => {
                    const where = mend();
                    props.onLeave();
                    if (where !== undefined) openMend(where.provider, where.field);
                  }}
                >
                  {mendWords(mend()?.field ?? "key", mend()?.provider ?? "")}
                </Button>
              )}
            </>
          )}
        </Match>
      </Switch>
    </div>
  );
}
