// How requests to models leave the machine, and that those to a server of this machine do not.
//
// A server of this machine that answers with a redirect is refused: following it would send the conversation elsewhere.

import { isOwnMachine } from "./own-machine.ts";

export const modelFetch: typeof fetch = async (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  return fetch(input, isOwnMachine(url) ? { ...init, redirect: "error" } : init);
};
