// Streaming JSON parser: parses JSON of any size from chunks and validates all of it. The caller selects the containers
// that it wants as complete values; the parser descends into all others. It cuts out every complete value by its byte
// range and passes it to JSON.parse. Only one chunk and one value are in memory.

/** Path of a value: keys and indices from the root. */
export type JsonPath = readonly (string | number)[];

/** A complete value, with the byte offset of its start. */
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
type BufferedKind = 'key' | 'string' | 'container' | 'literal';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];
const MAX_VALUE_BYTES = 32 * 1024 * 1024;
const MAX_DEPTH = 100;
const COMPLETE_DEPTH = -1;

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
/** Returns whether a byte ends a number, `true`, `false` or `null`. */
const endsLiteral = (byte: number) => isSpace(byte) || byte === COMMA || byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;

/** Incremental parser of one JSON text: pass it chunks, then call `end`. */
export class JsonStreamParser {
  readonly #isWanted: (path: JsonPath) => boolean;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #path: (string | number)[] = [];
  /** For each open container, whether it is an array. */
  readonly #inArray: boolean[] = [];
  #expect: Expect = 'value';
  #bufferedKind: BufferedKind | null = null;
  #chunks: Uint8Array[] = [];
  #bufferedBytes = 0;
  /** Number of open containers within the buffered value; COMPLETE_DEPTH at its end. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #offset = 0;
  /** Number of bytes of the byte order mark that were read. */
  #markBytes = 0;
  #valueOffset = 0;

  /**
   * `isWanted` is called at the start of each object and array. It returns true to get the container as one value, and
   * false to descend into it. Strings, numbers and literals are always returned.
   */
  constructor(isWanted: (path: JsonPath) => boolean) {
    this.#isWanted = isWanted;
  }

  /** Parses a chunk. Returns the values that were completed in it. Throws JsonStreamError. */
  read(chunk: Uint8Array): FoundValue[] {
    const found: FoundValue[] = [];
    let index = this.#offset === this.#markBytes ? this.#skipByteOrderMark(chunk) : 0;
    while (index < chunk.length) {
      if (this.#bufferedKind === null) {
        index = this.#readToken(chunk, index);
        continue;
      }
      const from = index;
      index = this.#scan(chunk, index);
      this.#append(chunk.subarray(from, index));
      if (this.#isValueComplete()) this.#finishValue(found);
    }
    this.#offset += chunk.length;
    return found;
  }

  /** Ends the input. Throws JsonStreamError if the JSON text is incomplete. */
  end(): FoundValue[] {
    const found: FoundValue[] = [];
    if (this.#bufferedKind === 'literal' && this.#path.length === 0) this.#finishValue(found);
    if (this.#bufferedKind !== null || this.#expect !== 'nothing')
      throw new JsonStreamError('The file ends too early', this.#offset, [...this.#path], true);
    return found;
  }

  #errorAt(message: string, offset: number): JsonStreamError {
    return new JsonStreamError(message, offset, [...this.#path]);
  }

  /** Skips a byte order mark, which may be split between chunks. Returns the index of the byte after it. */
  #skipByteOrderMark(chunk: Uint8Array): number {
    let index = 0;
    while (index < chunk.length && chunk[index] === BYTE_ORDER_MARK[this.#markBytes]) {
      index += 1;
      this.#markBytes += 1;
    }
    const isComplete = this.#markBytes === 0 || this.#markBytes === BYTE_ORDER_MARK.length;
    if (index < chunk.length && !isComplete) throw this.#errorAt('The text is not UTF-8', 0);
    return index;
  }

  #readToken(chunk: Uint8Array, index: number): number {
    const byte = chunk[index] ?? 0;
    if (isSpace(byte)) return index + 1;
    if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) return this.#closeContainer(byte, index);
    if (this.#expect === 'colon' && byte === COLON) this.#expect = 'value';
    else if (this.#expect === 'comma or end' && byte === COMMA) this.#afterComma();
    else if ((this.#expect === 'key' || this.#expect === 'key or end') && byte === QUOTE)
      return this.#startBuffering('key', index);
    else if (this.#expect === 'value' || this.#expect === 'value or end') return this.#startValue(byte, index);
    else throw this.#errorAt(`Expected ${this.#expect}, not ${JSON.stringify(String.fromCharCode(byte))}`, this.#offset + index);
    return index + 1;
  }

  #afterComma(): void {
    const lastKey = this.#path.length - 1;
    const arrayIndex = this.#path[lastKey];
    if (this.#inArray.at(-1) === true && typeof arrayIndex === 'number') this.#path[lastKey] = arrayIndex + 1;
    this.#expect = this.#inArray.at(-1) === true ? 'value' : 'key';
  }

  #startValue(byte: number, index: number): number {
    const isContainer = byte === OPEN_ARRAY || byte === OPEN_OBJECT;
    if (!isContainer) return this.#startBuffering(byte === QUOTE ? 'string' : 'literal', index);
    if (this.#isWanted(this.#path)) return this.#startBuffering('container', index);
    if (this.#path.length >= MAX_DEPTH) throw this.#errorAt('Nested too deep', this.#offset + index);
    this.#inArray.push(byte === OPEN_ARRAY);
    this.#path.push(byte === OPEN_ARRAY ? 0 : '');
    this.#expect = byte === OPEN_ARRAY ? 'value or end' : 'key or end';
    return index + 1;
  }

  #closeContainer(byte: number, index: number): number {
    const expectIfEmpty: Expect = byte === CLOSE_ARRAY ? 'value or end' : 'key or end';
    const isEndAllowed = this.#expect === 'comma or end' || this.#expect === expectIfEmpty;
    if (!isEndAllowed || this.#inArray.at(-1) !== (byte === CLOSE_ARRAY))
      throw this.#errorAt(`Expected ${this.#expect}, not ${String.fromCharCode(byte)}`, this.#offset + index);
    this.#inArray.pop();
    this.#path.pop();
    this.#afterValue();
    return index + 1;
  }

  #afterValue(): void {
    this.#expect = this.#path.length === 0 ? 'nothing' : 'comma or end';
  }

  #startBuffering(kind: BufferedKind, index: number): number {
    this.#bufferedKind = kind;
    this.#valueOffset = this.#offset + index;
    this.#depth = 0;
    this.#inString = false;
    return index;
  }

  /**
   * Scans to the end of the value or of the chunk. Every byte of a large file passes through here, so it is one plain
   * loop.
   */
  #scan(chunk: Uint8Array, from: number): number {
    if (this.#bufferedKind === 'literal') return this.#scanLiteral(chunk, from);
    let index = from;
    let { depth, inString, escaped } = { depth: this.#depth, inString: this.#inString, escaped: this.#escaped };
    for (; index < chunk.length; index += 1) {
      const byte = chunk[index];
      if (escaped) escaped = false;
      else if (inString) {
        if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth -= 1;
      if (depth === 0 && !inString) {
        index += 1;
        this.#depth = COMPLETE_DEPTH;
        break;
      }
    }
    if (this.#depth !== COMPLETE_DEPTH) this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return index;
  }

  #scanLiteral(chunk: Uint8Array, from: number): number {
    let index = from;
    while (index < chunk.length && !endsLiteral(chunk[index] ?? 0)) index += 1;
    if (index < chunk.length) this.#depth = COMPLETE_DEPTH;
    return index;
  }

  #isValueComplete(): boolean {
    return this.#depth === COMPLETE_DEPTH;
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
