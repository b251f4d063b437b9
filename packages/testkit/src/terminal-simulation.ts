// One random script of a terminal, from a seed: its shape, whether it is a multiplexer, what components do.

import { Random } from "./random.ts";
import { ScriptEmulator } from "./script-emulator.ts";
import { type ScriptOptions, type ScriptResult, TerminalScript } from "./terminal-script.ts";

const kinds: readonly Omit<ScriptOptions, "steps">[] = [
  { isClean: true, widthChanges: false, heightChanges: false },
  { isClean: false, widthChanges: false, heightChanges: false },
  { isClean: true, widthChanges: false, heightChanges: true },
  { isClean: false, widthChanges: false, heightChanges: true },
  { isClean: true, widthChanges: true, heightChanges: false },
  { isClean: false, widthChanges: true, heightChanges: true },
  { isClean: false, widthChanges: false, heightChanges: true, hasNoSeam: true },
  { isClean: false, widthChanges: true, heightChanges: true, hasNoSeam: true },
];

export interface SimulationResult extends ScriptResult {
  readonly isClean: boolean;
  readonly isResized: boolean;
}

export async function simulateTerminal(seed: number, steps: number): Promise<SimulationResult> {
  const random = new Random(seed * 7919);
  const options = kinds[seed % kinds.length] ?? random.pick(kinds);
  const terminal = new ScriptEmulator(random.between(20, 240), random.between(5, 80), {
    isMultiplexer: random.chance(0.4),
    synchronizedOutput: random.chance(0.5),
    screenToScrollback: false,
  });
  const result = await new TerminalScript(seed, terminal, {
    ...options,
    steps,
    // The emulator mixes up clusters of several characters when it wraps rows.
    isPlain: options.widthChanges,
  }).run();
  return { ...result, isClean: options.isClean, isResized: options.widthChanges || options.heightChanges };
}
