// Matrix multiplication for one core: a small WebAssembly module, assembled here, that uses 128-bit vectors.
//
//   C[rows × 8·panels] += A[rows × depth] · B,   then every element of C at least `least`
//
// - A and C are rows of 32-bit floats with a stride in bytes. Rows are computed six at a time, so both need room for the
//   next multiple of six; what is in the surplus rows does not matter.
// - B is packed (`packPanels`): panels of eight columns, in each panel the eight values of every row side by side.
// - `depth` is a multiple of four. The caller fills C with what the product is added to: zeros, a bias, a residual.
//
// Fused multiply-add is used where the engine has it. With and without, results differ in the last digits only.

export const rowsAtOnce = 6;
export const panelWidth = 8;
const unrolled = 4;

interface Memory {
  readonly buffer: ArrayBuffer;
}

/** What is used of it; the types of Node do not declare it. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => Memory;
  validate(code: Uint8Array<ArrayBuffer>): boolean;
  instantiate(
    code: Uint8Array<ArrayBuffer>,
    imports: { readonly m: { readonly m: Memory } },
  ): Promise<{ readonly instance: { readonly exports: { readonly f: MatrixKernel["multiplyAdd"] } } }>;
};

export interface MatrixKernel {
  readonly memory: Memory;
  /** Addresses and strides in bytes; `rowGroups` of six rows, `depth` in elements. */
  multiplyAdd(
    a: number,
    aStride: number,
    b: number,
    c: number,
    cStride: number,
    rowGroups: number,
    depth: number,
    panels: number,
    least: number,
  ): void;
}

export function hasFusedMultiplyAdd(): boolean {
  return WebAssembly.validate(assemble(true));
}

export async function createMatrixKernel(
  bytes: number,
  isFused = hasFusedMultiplyAdd(),
): Promise<MatrixKernel> {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536) });
  const { instance } = await WebAssembly.instantiate(assemble(isFused), { m: { m: memory } });
  return { memory, multiplyAdd: instance.exports.f };
}

/** Writes `rows × columns` values, read with `at`, as panels; the columns beyond the last are zero. */
export function packPanels(
  target: Float32Array,
  rows: number,
  columns: number,
  at: (row: number, column: number) => number,
): void {
  let position = 0;
  for (let first = 0; first < columns; first += panelWidth) {
    for (let row = 0; row < rows; row++) {
      for (let column = first; column < first + panelWidth; column++) {
        target[position++] = column < columns ? at(row, column) : 0;
      }
    }
  }
}

// Parameters and locals of the function, by index.
const [a, aStride, b, c, cStride, rowGroups, depth, panels, least] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const [row, target, groups, count, source, address] = [9, 10, 11, 12, 13, 14] as const;
const rowPointer = 15;
const [floor, left, right, value] = [21, 22, 23, 24] as const;
/** Two for each row: columns 0 to 3 and columns 4 to 7. */
const sum = 25;

const [i32, f32, v128] = [0x7f, 0x7d, 0x7b] as const;

type Code = readonly number[];

function assemble(isFused: boolean): Uint8Array<ArrayBuffer> {
  const parameters = [i32, i32, i32, i32, i32, i32, i32, i32, f32];
  const locals = [2, 6 + rowsAtOnce, i32, 4 + 2 * rowsAtOnce, v128];
  const body = [...locals, ...multiplication(isFused), 0x0b];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, parameters.length, ...parameters, 0]),
    // The memory is imported as "m" "m", the function exported as "f".
    ...section(2, [1, 1, 0x6d, 1, 0x6d, 2, 0, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, 1, 0x66, 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

function multiplication(isFused: boolean): Code {
  const nextRow = [...get(address), ...get(cStride), ...add, ...set(address)];
  const everyRow = (code: (index: number) => Code) =>
    Array.from({ length: rowsAtOnce }, (_, index) => code(index)).flat();
  const step = (position: number) => [
    ...[...get(source), ...load(position * 32), ...set(left)],
    ...[...get(source), ...load(position * 32 + 16), ...set(right)],
    ...everyRow((index) => [
      ...[...get(rowPointer + index), ...loadSplat(position * 4), ...set(value)],
      ...accumulate(sum + 2 * index, left, isFused),
      ...accumulate(sum + 2 * index + 1, right, isFused),
    ]),
  ];
  const sixRows = [
    ...[...get(row), ...set(rowPointer)],
    ...Array.from({ length: rowsAtOnce - 1 }, (_, index) => [
      ...[...get(rowPointer + index), ...get(aStride), ...add, ...set(rowPointer + index + 1)],
    ]).flat(),
    ...[...get(target), ...set(address)],
    ...everyRow((index) => [
      ...[...get(address), ...load(0), ...set(sum + 2 * index)],
      ...[...get(address), ...load(16), ...set(sum + 2 * index + 1)],
      ...nextRow,
    ]),
    ...[...get(b), ...set(source), ...get(depth), ...set(count)],
    ...repeat(count, unrolled, [
      ...Array.from({ length: unrolled }, (_, position) => step(position)).flat(),
      ...everyRow((index) => increase(rowPointer + index, unrolled * 4)),
      ...increase(source, unrolled * panelWidth * 4),
    ]),
    ...[...get(target), ...set(address)],
    ...everyRow((index) => [
      ...[...get(address), ...get(sum + 2 * index), ...get(floor), ...larger, ...store(0)],
      ...[...get(address), ...get(sum + 2 * index + 1), ...get(floor), ...larger, ...store(16)],
      ...nextRow,
    ]),
    ...[...get(address), ...set(target)],
    ...[...get(row), ...get(aStride), ...constant(rowsAtOnce), ...multiply, ...add, ...set(row)],
  ];
  return [
    ...[...get(least), ...splat, ...set(floor)],
    ...repeat(panels, 1, [
      ...[...get(a), ...set(row), ...get(c), ...set(target), ...get(rowGroups), ...set(groups)],
      ...repeat(groups, 1, sixRows),
      // The panel was walked to its end: the next one begins there.
      ...[...get(source), ...set(b)],
      ...increase(c, panelWidth * 4),
    ]),
  ];
}

const add: Code = [0x6a];
const multiply: Code = [0x6c];
const splat: Code = [0xfd, 0x13];
/** `pmax`, which is one instruction where `max` is several. */
const larger: Code = [0xfd, 0xeb, 0x01];

function accumulate(into: number, columns: number, isFused: boolean): Code {
  if (isFused) return [...get(value), ...get(columns), ...get(into), 0xfd, 0x85, 0x02, ...set(into)];
  return [...get(value), ...get(columns), 0xfd, 0xe6, 0x01, ...get(into), 0xfd, 0xe4, 0x01, ...set(into)];
}

/** Runs the code, takes `by` from the local, and again while something is left. At least once. */
function repeat(local: number, by: number, code: Code): Code {
  const countDown = [...get(local), ...constant(by), 0x6b, 0x22, ...unsigned(local)];
  return [0x03, 0x40, ...code, ...countDown, 0x0d, 0, 0x0b];
}

function increase(local: number, by: number): Code {
  return [...get(local), ...constant(by), ...add, ...set(local)];
}

function get(local: number): Code {
  return [0x20, ...unsigned(local)];
}

function set(local: number): Code {
  return [0x21, ...unsigned(local)];
}

function load(offset: number): Code {
  return [0xfd, 0x00, 2, ...unsigned(offset)];
}

function loadSplat(offset: number): Code {
  return [0xfd, 0x09, 2, ...unsigned(offset)];
}

function store(offset: number): Code {
  return [0xfd, 0x0b, 2, ...unsigned(offset)];
}

function constant(number: number): Code {
  // Signed: bit 6 of the last byte is the sign.
  const bytes = [...unsigned(number)];
  const last = bytes.at(-1) ?? 0;
  if (last >= 0x40) bytes.splice(-1, 1, last | 0x80, 0);
  return [0x41, ...bytes];
}

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function unsigned(number: number): Code {
  const bytes: number[] = [];
  let rest = number;
  do {
    bytes.push((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
    rest >>>= 7;
  } while (rest > 0);
  return bytes;
}
