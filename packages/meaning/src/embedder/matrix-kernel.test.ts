import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createMatrixKernel,
  hasFusedMultiplyAdd,
  packPanels,
  panelWidth,
  rowsAtOnce,
} from "./matrix-kernel.ts";

for (const [rows, depth, columns] of [
  [1, 4, 8],
  [6, 8, 16],
  [7, 12, 24],
  [13, 64, 8],
  [30, 128, 40],
] as const) {
  test(`a ${rows} × ${depth} matrix times a ${depth} × ${columns} matrix is what the definition says`, async () => {
    const groups = Math.ceil(rows / rowsAtOnce);
    const padded = groups * rowsAtOnce;
    for (const isFused of new Set([false, hasFusedMultiplyAdd()])) {
      const kernel = await createMatrixKernel(
        4 * (padded * depth + depth * columns + padded * columns),
        isFused,
      );
      const left = new Float32Array(kernel.memory.buffer, 0, padded * depth);
      const right = new Float32Array(kernel.memory.buffer, left.byteLength, depth * columns);
      const result = new Float32Array(
        kernel.memory.buffer,
        left.byteLength + right.byteLength,
        padded * columns,
      );
      // Small whole numbers: every product and sum is exact, with and without fused operations.
      for (let index = 0; index < left.length; index++) left[index] = ((index * 7) % 11) - 5;
      const at = (row: number, column: number) => ((row * 5 + column * 3) % 13) - 6;
      packPanels(right, depth, columns, at);
      for (let index = 0; index < result.length; index++) result[index] = index % 3;
      kernel.multiplyAdd(
        left.byteOffset,
        depth * 4,
        right.byteOffset,
        result.byteOffset,
        columns * 4,
        groups,
        depth,
        columns / panelWidth,
        -20,
      );
      for (let row = 0; row < rows; row++) {
        for (let column = 0; column < columns; column++) {
          let expected = (row * columns + column) % 3;
          for (let k = 0; k < depth; k++) expected += (left[row * depth + k] ?? 0) * at(k, column);
          assert.equal(
            result[row * columns + column],
            Math.max(expected, -20),
            `row ${row}, column ${column}`,
          );
        }
      }
    }
  });
}
