// The page: signs in, then shows the workspace, or why it cannot.

import "./styles/layout.css";
import { Client } from "@stet/client/client";
import { isFault } from "@stet/protocol/fault";
import { render } from "solid-js/web";
import { App } from "./app/app.tsx";
import { ClosedDoor } from "./app/closed-door.tsx";
import { signIn } from "./app/sign-in.ts";
import { followTheme } from "./app/theme.ts";
import { Workbench } from "./workspace/workbench.ts";
import "./styles/tokens.css";
import "./styles/base.css";

const root = document.getElementById("app");
if (root === null) throw new Error("the page has no place for the app");

const url = location.origin;
const info = await signIn(new Client({ url }));
if (isFault(info)) render(() => <ClosedDoor fault={info} />, root);
else {
  const workbench = new Workbench(new Client({ url, root: info.root }), info);
  // What is shown is on its way while the window is drawn.
  void workbench.start();
  render(() => {
    followTheme(workbench.layout);
    return <App workbench={workbench} />;
  }, root);
}
