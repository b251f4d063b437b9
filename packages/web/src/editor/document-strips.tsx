// What has to be known about a document before its text: quiet lines above it.

import FileWarningIcon from "lucide-solid/icons/file-exclamation-point";
import LockIcon from "lucide-solid/icons/lock";
import { type JSX, Show } from "solid-js";
import { Button } from "../ui/button.tsx";
import { useWorkbench } from "../workspace/workbench.ts";
import type { OpenDocument } from "./open-document.ts";

export function DocumentStrips(props: { readonly document: OpenDocument }) {
  return (
    <div class="document-strips" aria-live="polite">
      <LockStrip />
      <DiskStrip document={props.document} />
      <BurdenStrip document={props.document} />
    </div>
  );
}

function Strip(props: {
  readonly isWaiting?: boolean;
  readonly icon?: JSX.Element;
  readonly children: JSX.Element;
}) {
  return (
    <div class="document-strip divided bar" classList={{ waiting: props.isWaiting === true }}>
      {props.icon}
      {props.children}
    </div>
  );
}

function LockStrip() {
  const workbench = useWorkbench();
  const { lock } = workbench.state;
  const cancel = (job: string) => workbench.ask("cancelJob", { params: { job_id: job }, body: {} });
  return (
    <Show when={lock.locked}>
      <Strip icon={<LockIcon size={16} aria-hidden="true" />}>
        <p>The agent is working on all documents. Until it is done, they can be read only.</p>
        <Show when={lock.jobId}>
          {(job) => (
            <Button small onPress={() => cancel(job())}>
              Cancel
            </Button>
          )}
        </Show>
      </Strip>
    </Show>
  );
}

function DiskStrip(props: { readonly document: OpenDocument }) {
  const workbench = useWorkbench();
  const name = () => props.document.name;
  const compare = () => {
    workbench.views.show({
      kind: "conflict",
      document: props.document.id,
      title: `${name()}: here and on disk`,
    });
  };
  const icon = () => <FileWarningIcon size={16} aria-hidden="true" />;
  return (
    <>
      <Show when={props.document.disk() === "changed"}>
        <Strip isWaiting icon={icon()}>
          <p>
            {name()} was changed on disk, where you changed it, too. Choose which text stays; the other one is
            kept in the history.
          </p>
          <span class="document-strip-actions cluster">
            <Button small onPress={compare}>
              Compare
            </Button>
            <Button small onPress={() => props.document.resolveDisk("keep")}>
              Keep my text
            </Button>
            <Button small onPress={() => props.document.resolveDisk("reload")}>
              Use the file’s text
            </Button>
          </span>
        </Strip>
      </Show>
      <Show when={props.document.disk() === "gone"}>
        <Strip isWaiting icon={icon()}>
          <p>The file was deleted. Save writes it again.</p>
        </Strip>
      </Show>
      <Show when={props.document.disk() === "unreadable"}>
        <Strip isWaiting icon={icon()}>
          <p>The file is no text any more. The text here is as it was; saving it replaces the file.</p>
          <Button small onPress={() => props.document.resolveDisk("keep")}>
            Keep my text
          </Button>
        </Strip>
      </Show>
    </>
  );
}

function BurdenStrip(props: { readonly document: OpenDocument }) {
  const text = () =>
    props.document.burden() === "lines"
      ? "This file has a very long line. Colours, spelling and wrapping are off to keep it quick."
      : "This is a large file. Colours, spelling and page layout are off to keep it quick.";
  return (
    <Show when={props.document.burden() !== "none"}>
      <Strip>
        <p class="faint">{text()}</p>
      </Strip>
    </Show>
  );
}
