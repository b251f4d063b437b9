// What a window says that the server does not know any more, or that shows another folder than the server has. What was typed
// stays in it, and is sent as soon as the server takes it: nothing here may load the page anew.

import { isFault } from "@stet/protocol/fault";
import { Match, Switch } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import { isSignedOut } from "./sign-in.ts";

export function SignedOut() {
  const workbench = useWorkbench();
  return (
    <Switch>
      <Match when={workbench.feed.connection() === "signed_out"}>
        <div class="signed-out divided" role="alert">
          <p>
            <strong>This window is signed out.</strong> Open the link that <code>stet serve</code> shows in
            its terminal, in this browser, then try again here. What you typed is kept in this window, and
            sent then.
          </p>
          <TryAgain />
        </div>
      </Match>
      <Match when={workbench.feed.connection() === "other_folder"}>
        <div class="signed-out divided" role="alert">
          <p>
            <strong>Another folder is served at this address now.</strong> Serve {workbench.state.name} here
            again to go on with it. What you see can still be copied. To work on the other folder, load the
            page anew.
          </p>
          <TryAgain />
        </div>
      </Match>
    </Switch>
  );
}

function TryAgain() {
  const workbench = useWorkbench();
  const tryAgain = async () => {
    const reply = await workbench.client.call("getWorkspace");
    if (isSignedOut(reply))
      workbench.notices.tell({ text: "This window is still signed out.", tone: "plain" });
    else if (isFault(reply) && reply.error !== "other_folder") workbench.refuse(reply);
    else workbench.feed.retry();
  };
  return (
    <Button small onPress={() => tryAgain()}>
      Try again
    </Button>
  );
}
