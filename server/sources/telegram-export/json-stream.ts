// Streaming JSON parser: parses JSON of any size from chunks and validates all of it. It walks through containers that the caller
// does not want as a whole. It cuts out every other value by its byte range and passes it to JSON.parse. Only one chunk and one
// value are in memory.

/** Path of a value: keys and indices from the root. */
export type JsonPath = readonly (string | number)[];

/** A value that was returned as a whole, with the byte offset of its start. */
export interface FoundValue {
  readonly path: JsonPath;
  readonly value: unknown;
  readonly offset: number;
}

/** A JSON syntax error with its position: the byte offset, and the path of the value. */
export class JsonStreamError extends Error {
  readonly offset: number;
  readonly path: JsonPath;
  /** True if the file ends within a value. */
  readonly isTruncated: boolean;
  constructor(message: string, offset: number, path: JsonPath, isTruncated = false) {
    super(message);
    this.isTruncated = isTruncated;
    this.offset = offset;
    this.path = path;
  }
}

type Expect = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end' | 'nothing';
type BufferedKind = 'key' | 'string' | 'container' | 'word';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const MAX_VALUE_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 100;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
const endsWord = (byte: number) => isSpace(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;

/** Incremental parser of one JSON text: pass it chunks, then call `end`. */
export class JsonStreamParser {
  readonly #wants: (path: JsonPath) => boolean;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #path: (string | number)[] = [];
  readonly #inArray: boolean[] = [];
  #expect: Expect = 'value';
  #cut: BufferedKind | null = null;
  #parts: Uint8Array[] = [];
  #held = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #offset = 0;
  #begin = 0;

  /**
   * `wants` is called at the start of each object and array, and returns whether to parse it as a whole. Other values are always
   * parsed as a whole.
   */
  constructor(wants: (path: JsonPath) => boolean) {
    this.#wants = wants;
  }

  /** Parses a chunk. Returns the values that were completed in it. Throws JsonStreamError. */
  read(chunk: Uint8Array): FoundValue[] {
    const found: FoundValue[] = [];
    let at = this.#offset === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length) {
      if (this.#cut === null) {
        at = this.#step(chunk, at);
        continue;
      }
      const from = at;
      at = this.#scan(chunk, at);
      this.#hold(chunk.subarray(from, at));
      if (this.#isCut()) this.#take(found);
    }
    this.#offset += chunk.length;
    return found;
  }

  /** Ends the input. Throws JsonStreamError if the JSON text is incomplete. */
  end(): FoundValue[] {
    const found: FoundValue[] = [];
    if (this.#cut === 'word' && this.#path.length === 0) this.#take(found);
    if (this.#cut !== null || this.#expect !== 'nothing')
      throw new JsonStreamError('The file ends too early', this.#offset, [...this.#path], true);
    return found;
  }

  #fault(message: string, offset: number): JsonStreamError {
    return new JsonStreamError(message, offset, [...this.#path]);
  }

  #step(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    if (isSpace(byte)) return at + 1;
    if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) return this.#leave(byte, at);
    if (this.#expect === 'colon' && byte === COLON) this.#expect = 'value';
    else if (this.#expect === 'comma or end' && byte === COMMA) this.#next();
    else if ((this.#expect === 'key' || this.#expect === 'key or end') && byte === QUOTE) return this.#start('key', at);
    else if (this.#expect === 'value' || this.#expect === 'value or end') return this.#value(byte, at);
    else throw this.#fault(`Expected ${this.#expect}, not ${JSON.stringify(String.fromCharCode(byte))}`, this.#offset + at);
    return at + 1;
  }

  #next(): void {
    const top = this.#path.length - 1;
    const index = this.#path[top];
    if (this.#inArray.at(-1) === true && typeof index === 'number') this.#path[top] = index + 1;
    this.#expect = this.#inArray.at(-1) === true ? 'value' : 'key';
  }

  #value(byte: number, at: number): number {
    const container = byte === OPEN_ARRAY || byte === OPEN_OBJECT;
    if (!container) return this.#start(byte === QUOTE ? 'string' : 'word', at);
    if (this.#wants(this.#path)) return this.#start('container', at);
    if (this.#path.length >= MAX_DEPTH) throw this.#fault('Nested too deep', this.#offset + at);
    this.#inArray.push(byte === OPEN_ARRAY);
    this.#path.push(byte === OPEN_ARRAY ? 0 : '');
    this.#expect = byte === OPEN_ARRAY ? 'value or end' : 'key or end';
    return at + 1;
  }

  #leave(byte: number, at: number): number {
    const ends = this.#expect === 'comma or end' || this.#expect === (byte === CLOSE_ARRAY ? 'value or end' : 'key or end');
    if (!ends || this.#inArray.at(-1) !== (byte === CLOSE_ARRAY))
      throw this.#fault(`Expected ${this.#expect}, not ${String.fromCharCode(byte)}`, this.#offset + at);
    this.#inArray.pop();
    this.#path.pop();
    this.#after();
    return at + 1;
  }

  #after(): void {
    this.#expect = this.#path.length === 0 ? 'nothing' : 'comma or end';
  }

  #start(cut: BufferedKind, at: number): number {
    this.#cut = cut;
    this.#begin = this.#offset + at;
    this.#depth = 0;
    this.#inString = false;
    return at;
  }

  /** Scans to the end of the value or of the chunk. Every byte of a large file passes through here, so it is one plain loop. */
  #scan(chunk: Uint8Array, from: number): number {
    if (this.#cut === 'word') return this.#scanWord(chunk, from);
    let at = from;
    let { depth, inString, escaped } = { depth: this.#depth, inString: this.#inString, escaped: this.#escaped };
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (escaped) escaped = false;
      else if (inString) {
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth === 0 && !inString) {
        at += 1;
        this.#depth = -1;
        break;
      }
    }
    if (this.#depth !== -1) this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return at;
  }

  #scanWord(chunk: Uint8Array, from: number): number {
    let at = from;
    while (at < chunk.length && !endsWord(chunk[at] ?? 0)) at += 1;
    if (at < chunk.length) this.#depth = -1;
    return at;
  }

  #isCut(): boolean {
    return this.#depth === -1;
  }

  #hold(part: Uint8Array): void {
    this.#held += part.length;
    if (this.#held > MAX_VALUE_BYTES) throw this.#fault(`One value is larger than ${MAX_VALUE_BYTES >> 20} MB`, this.#begin);
    if (part.length > 0) this.#parts.push(part);
  }

  #take(found: FoundValue[]): void {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const value = this.#parse(bytes ?? new Uint8Array());
    const isKey = this.#cut === 'key';
    this.#cut = null;
    this.#parts = [];
    this.#held = 0;
    if (!isKey) {
      found.push({ path: [...this.#path], value, offset: this.#begin });
      this.#after();
      return;
    }
    this.#path[this.#path.length - 1] = String(value);
    this.#expect = 'colon';
  }

  #parse(bytes: Uint8Array): unknown {
    let text = '';
    try {
      text = this.#decoder.decode(bytes);
      return JSON.parse(text);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const position = Number(/position (\d+)/.exec(message)?.[1] ?? 0);
      throw this.#fault(
        text === '' ? 'The text is not UTF-8' : message,
        this.#begin + Buffer.byteLength(text.slice(0, position)),
      );
    }
  }
}
