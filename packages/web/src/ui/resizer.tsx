// The edge of a panel: dragged, or moved with the arrow keys. A double click, or Enter, makes it as it usually is.

import "./resizer.css";

const step = 24;
const most = 900;

export function Resizer(props: {
  /** On which edge of the panel it is. */
  readonly side: "start" | "end";
  readonly label: string;
  readonly width: number;
  readonly least: number;
  readonly usual: number;
  readonly onResize: (width: number) => void;
}) {
  const limit = (width: number) => Math.round(Math.max(props.least, Math.min(width, most, innerWidth - 200)));
  const direction = () => (props.side === "end" ? 1 : -1);
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    event.preventDefault();
    const { currentTarget, clientX, pointerId } = event;
    const start = props.width;
    currentTarget.setPointerCapture(pointerId);
    const onMove = (moved: PointerEvent) =>
      props.onResize(limit(start + direction() * (moved.clientX - clientX)));
    currentTarget.addEventListener("pointermove", onMove);
    currentTarget.addEventListener(
      "lostpointercapture",
      () => currentTarget.removeEventListener("pointermove", onMove),
      {
        once: true,
      },
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") props.onResize(props.usual);
    const moved = { ArrowLeft: -step, ArrowRight: step }[event.key];
    if (moved === undefined) return;
    event.preventDefault();
    props.onResize(limit(props.width + direction() * moved));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule cannot be moved, a separator can.
    <div
      class={`resizer ${props.side}`}
      role="separator"
      tabIndex={0}
      aria-label={props.label}
      aria-orientation="vertical"
      aria-valuenow={props.width}
      aria-valuemin={props.least}
      aria-valuemax={most}
      onPointerDown={onPointerDown}
      onDblClick={() => props.onResize(props.usual)}
      onKeyDown={onKeyDown}
    />
  );
}
