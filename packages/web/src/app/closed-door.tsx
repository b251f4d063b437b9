// The page where it cannot sign in or the server does not answer.

import type { Fault } from "@stet/protocol/fault";
import { Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { isSignedOut } from "./sign-in.ts";
import "./closed-door.css";

export function ClosedDoor(props: { readonly fault: Fault }) {
  const isKnown = () => isSignedOut(props.fault);
  return (
    <main class="closed-door column">
      <img class="closed-door-mark" src="/stet.svg" alt="" />
      <h1>{isKnown() ? "Please sign in" : "Stet is not there"}</h1>
      <p role="status">
        <Show when={isKnown()} fallback={props.fault.message}>
          This browser is not signed in here.
        </Show>
      </p>
      <p>
        <Show
          when={isKnown()}
          fallback={
            <>
              Start <code>stet serve</code> again in a terminal, and open the link that it shows. Nothing that
              you wrote is lost: everything that was sent is kept.
            </>
          }
        >
          Open the link that <code>stet serve</code> shows in its terminal. It signs this browser in.
        </Show>
      </p>
      <Button class="primary" onPress={() => location.reload()}>
        Try again
      </Button>
    </main>
  );
}
