// What a transformer does to rows of numbers between its matrix multiplications. The width of a row is that of the other
// argument, where there is one.

export interface Norm {
  readonly scale: Float32Array;
  readonly bias: Float32Array;
}

/** Sines in the first half of each row, cosines in the second. */
export function timingSignal(rows: number, frequencies: Float32Array): Float32Array {
  const half = frequencies.length;
  const signal = new Float32Array(rows * 2 * half);
  for (let position = 0; position < rows; position++) {
    for (const [index, frequency] of frequencies.entries()) {
      signal[position * 2 * half + index] = Math.sin(position * frequency);
      signal[position * 2 * half + half + index] = Math.cos(position * frequency);
    }
  }
  return signal;
}

export function fillRows(rows: Float32Array, row: Float32Array, count: number): void {
  for (let index = 0; index < count; index++) rows.set(row, index * row.length);
}

export function addToRows(rows: Float32Array, row: Float32Array, count: number): void {
  const { length } = row;
  for (let start = 0; start < count * length; start += length) {
    for (let column = 0; column < length; column++) {
      rows[start + column] = (rows[start + column] ?? 0) + (row[column] ?? 0);
    }
  }
}

export function normaliseRows(
  from: Float32Array,
  to: Float32Array,
  { scale, bias }: Norm,
  count: number,
): void {
  const { length } = scale;
  for (let start = 0; start < count * length; start += length) {
    let sum = 0;
    for (let at = start; at < start + length; at++) sum += from[at] ?? 0;
    const mean = sum / length;
    let squares = 0;
    for (let at = start; at < start + length; at++) squares += ((from[at] ?? 0) - mean) ** 2;
    const factor = 1 / Math.sqrt(squares / length + 1e-6);
    for (let column = 0; column < length; column++) {
      to[start + column] =
        ((from[start + column] ?? 0) - mean) * factor * (scale[column] ?? 0) + (bias[column] ?? 0);
    }
  }
}

/** Over the first `count` columns of each row; the other columns stay zero. */
export function softmaxRows(rows: Float32Array, count: number, stride: number, scale: number): void {
  for (let start = 0; start < count * stride; start += stride) {
    let most = Number.NEGATIVE_INFINITY;
    for (let at = start; at < start + count; at++) most = Math.max(most, rows[at] ?? 0);
    let sum = 0;
    for (let at = start; at < start + count; at++) {
      const power = Math.exp(((rows[at] ?? 0) - most) * scale);
      rows[at] = power;
      sum += power;
    }
    for (let at = start; at < start + count; at++) rows[at] = (rows[at] ?? 0) / sum;
  }
}
