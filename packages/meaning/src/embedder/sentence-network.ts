// The network of the embedded model: Universal Sentence Encoder lite, a transformer of two layers with four heads each.
//
//   x = 2·embedding + timing                                                            (pieces × 256)
//   per layer:  x = adjust(x) + attention(norm(x));  x = x + feedForward(norm(x))       (pieces × 512)
//   vector = tanh(dense(mean of x over the pieces))                                     (512)
//
// One text at a time is computed, so a vector does not depend on what else was asked for. Everything large lives in the
// memory of the matrix kernel: the weights, packed once, and rows of intermediate values that are used again and again.

import {
  createMatrixKernel,
  type MatrixKernel,
  packPanels,
  panelWidth,
  rowsAtOnce,
} from "./matrix-kernel.ts";
import type { ModelFiles } from "./model-files.ts";
import {
  addToRows,
  fillRows,
  type Norm,
  normaliseRows,
  softmaxRows,
  timingSignal,
} from "./row-operations.ts";

/** The model was trained with so many positions; it never saw a later one. */
export const maxPieces = 128;
export const networkWidth = 512;
const embeddingWidth = 256;
const hiddenWidth = 1536;
const pieceKinds = 8002;
const heads = 4;
const paddedRows = Math.ceil(maxPieces / rowsAtOnce) * rowsAtOnce;
const memoryBytes = 24 * 1024 * 1024;

/** A region of the kernel's memory. */
interface Area {
  readonly address: number;
  readonly values: Float32Array;
}

interface Dense {
  readonly weights: Area;
  readonly bias: Float32Array;
  readonly input: number;
  readonly output: number;
}

interface Layer {
  readonly input: number;
  readonly attentionNorm: Norm;
  /** Queries, keys and values side by side. */
  readonly project: Dense;
  readonly combine: Dense;
  /** Brings what is added to the attention to the network's width, where the layer's input has another. */
  readonly adjust: Dense | undefined;
  readonly feedNorm: Norm;
  readonly expand: Dense;
  readonly contract: Dense;
}

export class SentenceNetwork {
  readonly #kernel: MatrixKernel;
  readonly #embeddings: Float32Array;
  readonly #timing: Float32Array;
  readonly #layers: readonly Layer[];
  readonly #final: Dense;
  /** The rows that the next step works on, and those that it makes. */
  #rows: Area;
  #next: Area;
  readonly #normal: Area;
  readonly #wide: Area;
  readonly #scores: Area;
  readonly #packed: Area;
  #taken = 0;

  static async create(files: ModelFiles): Promise<SentenceNetwork> {
    return new SentenceNetwork(files, await createMatrixKernel(memoryBytes));
  }

  private constructor(files: ModelFiles, kernel: MatrixKernel) {
    this.#kernel = kernel;
    this.#embeddings = files.weight("module/Embeddings_en", pieceKinds * embeddingWidth);
    this.#timing = timingSignal(
      maxPieces,
      files.weight("AddTimingSignal/TimingSignal/ExpandDims_1", embeddingWidth / 2),
    );
    this.#layers = [this.#layer(files, 0, embeddingWidth), this.#layer(files, 1, networkWidth)];
    this.#final = this.#dense(files, "tanh_layer_0/weights", "tanh_layer_0/bias", networkWidth, networkWidth);
    this.#rows = this.#take(paddedRows * networkWidth);
    this.#next = this.#take(paddedRows * networkWidth);
    this.#normal = this.#take(paddedRows * networkWidth);
    this.#wide = this.#take(paddedRows * hiddenWidth);
    this.#scores = this.#take(paddedRows * maxPieces);
    this.#packed = this.#take((networkWidth / heads) * maxPieces);
  }

  /** Of one to 128 pieces. The vector's length is not 1 yet. */
  run(pieces: readonly number[]): Float32Array {
    const count = pieces.length;
    this.#embed(pieces);
    for (const layer of this.#layers) {
      this.#attend(layer, count);
      this.#feedForward(layer, count);
    }
    return this.#finish(count);
  }

  #embed(pieces: readonly number[]): void {
    const { values } = this.#rows;
    for (const [row, piece] of pieces.entries()) {
      for (let column = 0; column < embeddingWidth; column++) {
        const at = row * embeddingWidth + column;
        values[at] = 2 * (this.#embeddings[piece * embeddingWidth + column] ?? 0) + (this.#timing[at] ?? 0);
      }
    }
  }

  #attend(layer: Layer, count: number): void {
    const { input, project, combine, adjust } = layer;
    const groups = groupsOf(count);
    normaliseRows(this.#rows.values, this.#normal.values, layer.attentionNorm, count);
    fillRows(this.#wide.values, project.bias, count);
    this.#multiply(this.#normal, project, this.#wide, groups);
    for (let head = 0; head < heads; head++) this.#attendHead(head, input, count);
    // The head's results have replaced what was normalised.
    if (adjust === undefined) {
      addToRows(this.#rows.values, combine.bias, count);
      this.#multiply(this.#normal, combine, this.#rows, groups);
      return;
    }
    fillRows(this.#next.values, adjust.bias, count);
    addToRows(this.#next.values, combine.bias, count);
    this.#multiply(this.#rows, adjust, this.#next, groups);
    this.#multiply(this.#normal, combine, this.#next, groups);
    [this.#rows, this.#next] = [this.#next, this.#rows];
  }

  #attendHead(head: number, input: number, count: number): void {
    const headWidth = input / heads;
    const stride = 3 * input;
    const wide = this.#wide.values;
    const groups = groupsOf(count);
    const padded = Math.ceil(count / panelWidth) * panelWidth;
    const scores = this.#scores.values.subarray(0, groups * rowsAtOnce * padded);
    const query = head * headWidth;
    const key = query + input;
    const value = key + input;
    packPanels(
      this.#packed.values,
      headWidth,
      count,
      (row, column) => wide[column * stride + key + row] ?? 0,
    );
    scores.fill(0);
    this.#kernel.multiplyAdd(
      this.#wide.address + query * 4,
      stride * 4,
      this.#packed.address,
      this.#scores.address,
      padded * 4,
      groups,
      headWidth,
      padded / panelWidth,
      Number.NEGATIVE_INFINITY,
    );
    softmaxRows(scores, count, padded, 1 / Math.sqrt(headWidth));
    packPanels(this.#packed.values, padded, headWidth, (row, column) =>
      row < count ? (wide[row * stride + value + column] ?? 0) : 0,
    );
    for (let row = 0; row < count; row++) {
      const start = row * input + query;
      this.#normal.values.fill(0, start, start + headWidth);
    }
    this.#kernel.multiplyAdd(
      this.#scores.address,
      padded * 4,
      this.#packed.address,
      this.#normal.address + query * 4,
      input * 4,
      groups,
      padded,
      headWidth / panelWidth,
      Number.NEGATIVE_INFINITY,
    );
  }

  #feedForward({ feedNorm, expand, contract }: Layer, count: number): void {
    const groups = groupsOf(count);
    normaliseRows(this.#rows.values, this.#normal.values, feedNorm, count);
    fillRows(this.#wide.values, expand.bias, count);
    this.#multiply(this.#normal, expand, this.#wide, groups, 0);
    addToRows(this.#rows.values, contract.bias, count);
    this.#multiply(this.#wide, contract, this.#rows, groups);
  }

  #finish(count: number): Float32Array {
    const mean = this.#normal.values.subarray(0, networkWidth).fill(0);
    const rows = this.#rows.values;
    for (let at = 0; at < count * networkWidth; at++) {
      const column = at % networkWidth;
      mean[column] = (mean[column] ?? 0) + (rows[at] ?? 0) / count;
    }
    fillRows(this.#wide.values, this.#final.bias, 1);
    this.#multiply(this.#normal, this.#final, this.#wide, 1);
    return this.#wide.values.slice(0, networkWidth).map(Math.tanh);
  }

  #multiply(from: Area, dense: Dense, to: Area, groups: number, least = Number.NEGATIVE_INFINITY): void {
    this.#kernel.multiplyAdd(
      from.address,
      dense.input * 4,
      dense.weights.address,
      to.address,
      dense.output * 4,
      groups,
      dense.input,
      dense.output / panelWidth,
      least,
    );
  }

  #layer(files: ModelFiles, index: number, input: number): Layer {
    const plain = `Encode/Layer_${index}/TransformerLayer`;
    const stack = `TransformerStack/Layer_${index}/TransformerLayer`;
    const bias = "bias/ConcatPartitions/concat";
    const attention = `${plain}/MultiheadAttention`;
    const dense = (weights: string, biasName: string, from: number, to: number) =>
      this.#dense(files, weights, biasName, from, to);
    const part = (name: string) =>
      [`${attention}/${name}/kernel/part_0`, `${attention}/${name}/${bias}`] as const;
    return {
      input,
      attentionNorm: norm(files, `${plain}/layer_prepostprocess`, input),
      project: dense(...part("qkv_transform_single"), input, 3 * input),
      combine: dense(...part("output_transform_single"), input, networkWidth),
      adjust:
        input === networkWidth
          ? undefined
          : dense(
              `${plain}/dense/kernel/ConcatPartitions/concat`,
              `${plain}/dense/${bias}`,
              input,
              networkWidth,
            ),
      feedNorm: norm(files, `${plain}/FFN/layer_prepostprocess`, networkWidth),
      expand: dense(
        `${stack}/FFN/conv1/Tensordot/Reshape_1`,
        `${plain}/FFN/conv1/${bias}`,
        networkWidth,
        hiddenWidth,
      ),
      contract: dense(
        `${stack}/FFN/conv2/Tensordot/Reshape_1`,
        `${plain}/FFN/conv2/${bias}`,
        hiddenWidth,
        networkWidth,
      ),
    };
  }

  #dense(files: ModelFiles, weightsName: string, biasName: string, input: number, output: number): Dense {
    const plain = files.weight(weightsName, input * output);
    const weights = this.#take(input * output);
    packPanels(weights.values, input, output, (row, column) => plain[row * output + column] ?? 0);
    return { weights, bias: files.weight(biasName, output), input, output };
  }

  #take(length: number): Area {
    const address = this.#taken;
    this.#taken += Math.ceil((length * 4) / 64) * 64;
    return { address, values: new Float32Array(this.#kernel.memory.buffer, address, length) };
  }
}

function norm(files: ModelFiles, name: string, width: number): Norm {
  const weight = (kind: string) =>
    files.weight(`${name}/layer_norm/layer_norm_${kind}/ConcatPartitions/concat`, width);
  return { scale: weight("scale"), bias: weight("bias") };
}

function groupsOf(rows: number): number {
  return Math.ceil(rows / rowsAtOnce);
}
