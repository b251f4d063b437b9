// Stops one of several: an agent, a command.

import StopIcon from "lucide-solid/icons/square";
import { IconButton } from "../ui/button.tsx";

export function StopButton(props: { readonly of: string; readonly onPress: () => unknown }) {
  return (
    <IconButton
      icon={Filled}
      size={11}
      class="agents-stop"
      label={`Stop ${props.of}`}
      title="Stop"
      onPress={props.onPress}
    />
  );
}

function Filled(props: { readonly size: number }) {
  return <StopIcon size={props.size} fill="currentColor" aria-hidden="true" />;
}
