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
  readonly #isWanted: (path: JsonPath) => boolean;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #path: (string | number)[] = [];
  readonly #inArray: boolean[] = [];
  #expect: Expect = 'value';
  #bufferedKind: BufferedKind | null = null;
  #chunks: Uint8Array[] = [];
  #bufferedBytes = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;
  #offset = 0;
  #valueOffset = 0;

  /**
   * `isWanted` is called at the start of each object and array, and returns whether to parse it as a whole. Other values are always
   * parsed as a whole.
   */
  constructor(isWanted: (path: JsonPath) => boolean) {
    this.#isWanted = isWanted;
  }

  /** Parses a chunk. Returns the values that were completed in it. Throws JsonStreamError. */
  read(chunk: Uint8Array): FoundValue[] {
    const found: FoundValue[] = [];
    let at = this.#offset === 0 && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 3 : 0;
    while (at < chunk.length) {
      if (this.#bufferedKind === null) {
        at = this.#readToken(chunk, at);
        continue;
      }
      const from = at;
      at = this.#scan(chunk, at);
      this.#append(chunk.subarray(from, at));
      if (this.#isValueComplete()) this.#finishValue(found);
    }
    this.#offset += chunk.length;
    return found;
  }

  /** Ends the input. Throws JsonStreamError if the JSON text is incomplete. */
  end(): FoundValue[] {
    const found: FoundValue[] = [];
    if (this.#bufferedKind === 'word' && this.#path.length === 0) this.#finishValue(found);
    if (this.#bufferedKind !== null || this.#expect !== 'nothing')
      throw new JsonStreamError('The file ends too early', this.#offset, [...this.#path], true);
    return found;
  }

  #errorAt(message: string, offset: number): JsonStreamError {
    return new JsonStreamError(message, offset, [...this.#path]);
  }

  #readToken(chunk: Uint8Array, at: number): number {
    const byte = chunk[at] ?? 0;
    if (isSpace(byte)) return at + 1;
    if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) return this.#closeContainer(byte, at);
    if (this.#expect === 'colon' && byte === COLON) this.#expect = 'value';
    else if (this.#expect === 'comma or end' && byte === COMMA) this.#afterComma();
    else if ((this.#expect === 'key' || this.#expect === 'key or end') && byte === QUOTE) return this.#startBuffering('key', at);
    else if (this.#expect === 'value' || this.#expect === 'value or end') return this.#startValue(byte, at);
    else throw this.#errorAt(`Expected ${this.#expect}, not ${JSON.stringify(String.fromCharCode(byte))}`, this.#offset + at);
    return at + 1;
  }

  #afterComma(): void {
    const top = this.#path.length - 1;
    const index = this.#path[top];
    if (this.#inArray.at(-1) === true && typeof index === 'number') this.#path[top] = index + 1;
    this.#expect = this.#inArray.at(-1) === true ? 'value' : 'key';
  }

  #startValue(byte: number, at: number): number {
    const container = byte === OPEN_ARRAY || byte === OPEN_OBJECT;
    if (!container) return this.#startBuffering(byte === QUOTE ? 'string' : 'word', at);
    if (this.#isWanted(this.#path)) return this.#startBuffering('container', at);
    if (this.#path.length >= MAX_DEPTH) throw this.#errorAt('Nested too deep', this.#offset + at);
    this.#inArray.push(byte === OPEN_ARRAY);
    this.#path.push(byte === OPEN_ARRAY ? 0 : '');
    this.#expect = byte === OPEN_ARRAY ? 'value or end' : 'key or end';
    return at + 1;
  }

  #closeContainer(byte: number, at: number): number {
    const ends = this.#expect === 'comma or end' || this.#expect === (byte === CLOSE_ARRAY ? 'value or end' : 'key or end');
    if (!ends || this.#inArray.at(-1) !== (byte === CLOSE_ARRAY))
      throw this.#errorAt(`Expected ${this.#expect}, not ${String.fromCharCode(byte)}`, this.#offset + at);
    this.#inArray.pop();
    this.#path.pop();
    this.#afterValue();
    return at + 1;
  }

  #afterValue(): void {
    this.#expect = this.#path.length === 0 ? 'nothing' : 'comma or end';
  }

  #startBuffering(kind: BufferedKind, at: number): number {
    this.#bufferedKind = kind;
    this.#valueOffset = this.#offset + at;
    this.#depth = 0;
    this.#inString = false;
    return at;
  }

  /** Scans to the end of the value or of the chunk. Every byte of a large file passes through here, so it is one plain loop. */
  #scan(chunk: Uint8Array, from: number): number {
    if (this.#bufferedKind === 'word') return this.#scanWord(chunk, from);
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

  #isValueComplete(): boolean {
    return this.#depth === -1;
  }

  #append(part: Uint8Array): void {
    this.#bufferedBytes += part.length;
    if (this.#bufferedBytes > MAX_VALUE_BYTES)
      throw this.#errorAt(`One value is larger than ${MAX_VALUE_BYTES >> 20} MB`, this.#valueOffset);
    if (part.length > 0) this.#chunks.push(part);
  }

  #finishValue(found: FoundValue[]): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const value = this.#parse(bytes ?? new Uint8Array());
    const isKey = this.#bufferedKind === 'key';
    this.#bufferedKind = null;
    this.#chunks = [];
    this.#bufferedBytes = 0;
    if (!isKey) {
      found.push({ path: [...this.#path], value, offset: this.#valueOffset });
      this.#afterValue();
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
      throw this.#errorAt(
        text === '' ? 'The text is not UTF-8' : message,
        this.#valueOffset + Buffer.byteLength(text.slice(0, position)),
      );
    }
  }
}
