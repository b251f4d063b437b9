// The programs that reach the clipboard, by desktop.

import type { Environment } from "./capabilities.ts";

export interface ClipboardProgram {
  readonly writeText: readonly string[];
  readonly readText: readonly string[];
  /** One after the other, until one gives a picture. */
  readonly readPicture: readonly PictureCommand[];
}

export interface PictureCommand {
  readonly command: readonly string[];
  readonly decode: (output: Buffer) => Uint8Array | undefined;
}

const asIs = (output: Buffer): Uint8Array => output;

const wayland: ClipboardProgram = {
  writeText: ["wl-copy"],
  readText: ["wl-paste", "--no-newline", "--type", "text"],
  readPicture: ["image/png", "image/jpeg", "image/webp", "image/gif"].map((type) => ({
    command: ["wl-paste", "--type", type],
    decode: asIs,
  })),
};

const x11: ClipboardProgram = {
  writeText: ["xclip", "-selection", "clipboard", "-in"],
  readText: ["xclip", "-selection", "clipboard", "-out"],
  readPicture: ["image/png", "image/jpeg"].map((type) => ({
    command: ["xclip", "-selection", "clipboard", "-target", type, "-out"],
    decode: asIs,
  })),
};

const mac: ClipboardProgram = {
  writeText: ["pbcopy"],
  readText: ["pbpaste"],
  readPicture: [
    { command: ["pngpaste", "-"], decode: asIs },
    { command: ["osascript", "-e", "get the clipboard as «class PNGf»"], decode: appleScriptData },
  ],
};

/** `«data PNGf89504E47…»`. */
function appleScriptData(output: Buffer): Uint8Array | undefined {
  const digits = /PNGf([0-9A-F]+)/i.exec(output.toString())?.[1];
  return digits === undefined ? undefined : Buffer.from(digits, "hex");
}

const powershell = ["powershell.exe", "-NoProfile", "-NonInteractive", "-STA", "-Command"];
const pictureScript =
  "Add-Type -AssemblyName System.Windows.Forms,System.Drawing; $p = [Windows.Forms.Clipboard]::GetImage(); " +
  "if ($p) { $s = New-Object IO.MemoryStream; $p.Save($s, [Drawing.Imaging.ImageFormat]::Png); " +
  "[Convert]::ToBase64String($s.ToArray()) }";
const textScript =
  "[Console]::OutputEncoding = [Text.Encoding]::UTF8; [Console]::Out.Write((Get-Clipboard -Raw))";
/** clip.exe alone reads its input in the console's code page. */
const writeScript =
  "[Console]::InputEncoding = [Text.Encoding]::UTF8; Set-Clipboard ([Console]::In.ReadToEnd())";

const windows: ClipboardProgram = {
  writeText: [...powershell, writeScript],
  readText: [...powershell, textScript],
  readPicture: [
    {
      command: [...powershell, pictureScript],
      decode: (output) => Buffer.from(output.toString().trim(), "base64"),
    },
  ],
};

/** Of clip.exe only writing is left where there is no PowerShell. */
const windowsPlain: ClipboardProgram = {
  writeText: ["clip.exe"],
  readText: [...powershell, textScript],
  readPicture: [],
};

export function clipboardPrograms(
  environment: Environment,
  platform: NodeJS.Platform,
): readonly ClipboardProgram[] {
  if (platform === "darwin") return [mac];
  if (platform === "win32") return [windows, windowsPlain];
  const found: ClipboardProgram[] = [];
  if ((environment.WAYLAND_DISPLAY ?? "") !== "") found.push(wayland);
  if ((environment.DISPLAY ?? "") !== "") found.push(x11);
  if ((environment.WSL_DISTRO_NAME ?? "") !== "") found.push(windows, windowsPlain);
  return found;
}
