// `Headers` and `Response` for requests to models, without the client that the global ones belong to.
//
// Naming a global `Headers`, `Request` or `Response` for the first time makes Node load its whole HTTP client, WebSockets and
// caches included, which takes longer than everything else before the first request to a model. These do what callers of
// fetch use. The providers' packages make headers, too: in the bundle they get these (scripts/bundle.ts).

type Init = ConstructorParameters<typeof Headers>[0];

export class LightHeaders implements Headers {
  readonly #values = new Map<string, string>();

  constructor(init?: Init) {
    if (init === undefined) return;
    const pairs = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name = "", value] of pairs) this.append(name, String(value));
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim());
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  /** Cookies are neither stored nor sent. */
  getSetCookie(): string[] {
    return [];
  }

  forEach(visit: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this.#values) visit(value, name, this);
  }

  entries() {
    return this.#values.entries();
  }

  keys() {
    return this.#values.keys();
  }

  values() {
    return this.#values.values();
  }

  [Symbol.iterator]() {
    return this.#values.entries();
  }
}

interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
}

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

export class LightResponse implements Response {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly type = "default";
  readonly url = "";
  readonly redirected = false;
  readonly #body: Body | null;

  constructor(body: Body | null, { status, statusText, headers }: Head) {
    this.#body = body;
    this.status = status;
    this.statusText = statusText;
    this.headers = headers;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get body(): Body | null {
    return this.#body;
  }

  get bodyUsed(): boolean {
    return this.#body?.locked ?? false;
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return new Uint8Array(await this.arrayBuffer());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    const { arrayBuffer } = await import("node:stream/consumers");
    return this.#body === null ? new ArrayBuffer(0) : arrayBuffer(this.#body);
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.arrayBuffer());
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.arrayBuffer()], { type: this.headers.get("content-type") ?? "" });
  }

  formData(): Promise<never> {
    return Promise.reject(new TypeError("A model's answer is no form."));
  }

  clone(): never {
    throw new TypeError("A model's answer is read once.");
  }
}
