// What a window says that the server does not know any more. What is in it stays to be read and copied.

import { Show } from "solid-js";
import { useDesk } from "../workspace/desk.ts";

export function SignedOut() {
  const desk = useDesk();
  return (
    <Show when={desk.feed.connection() === "signed_out"}>
      <div class="signed-out" role="alert">
        <p>
          <strong>This window is signed out.</strong> Open the link that <code>stet serve</code> shows in its
          terminal, in this browser, then try again here. What you see can still be copied.
        </p>
        <button type="button" class="button small" onClick={() => location.reload()}>
          Try again
        </button>
      </div>
    </Show>
  );
}
