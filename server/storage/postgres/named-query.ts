// Named statements of the driver: each connection prepares a statement once, and receives the description of its rows
// once. The driver itself requests the description at each execution, which takes a third of the time of a small statement.

import pg from 'pg';
import type { SqlValue } from '../sql/statements.ts';
import { parserOf, type ValueParser } from './value-types.ts';

/** Names and parsers of the columns of a statement's rows. */
export interface RowDescription {
  readonly names: readonly string[];
  readonly parsers: readonly ValueParser[];
  /** A row with these columns. Copies of it share their hidden class. */
  readonly template: Readonly<Record<string, null>>;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

/** Methods of the driver's connection that send messages of the protocol. */
interface ProtocolConnection {
  readonly parsedStatements: Readonly<Record<string, string | undefined>>;
  readonly submittedNamedStatements: Record<string, string | undefined>;
  readonly stream: { cork(): void; uncork(): void };
  parse(message: { text: string; name: string; types: undefined }): void;
  bind(message: { portal: string; statement: string; values: readonly (string | null)[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string }): void;
  sync(): void;
}

/** Rows of a statement, and the number of rows that it returned or changed. `command` is such as `SELECT`. */
export interface QueryResult<R> {
  readonly rows: R[];
  readonly count: number;
  readonly command: string;
}

const NO_ROWS: RowDescription = { names: [], parsers: [], template: {} };

const describeRows = (fields: readonly Field[]): RowDescription => {
  const names = fields.map(({ name }) => name);
  return {
    names,
    parsers: fields.map(({ dataTypeID }) => parserOf(dataTypeID)),
    template: Object.fromEntries(names.map((name) => [name, null])),
  };
};

/** Splits a command tag such as `INSERT 0 3` into the command and the number of rows. */
const parseCommandTag = (tag: string): Pick<QueryResult<never>, 'command' | 'count'> => {
  const words = tag.split(' ');
  return { command: words[0] ?? '', count: words.length > 1 ? Number(words.at(-1)) || 0 : 0 };
};

/** The driver's class, without the methods that its types declare as properties. */
const DriverQuery = pg.Query as unknown as new (
  config: { text: string; name: string },
  callback: () => void,
) => { readonly text: string; readonly name: string };

/** Execution of a named statement. The driver calls the methods: see its `Query`. */
export class NamedQuery<R extends object> extends DriverQuery {
  readonly #values: readonly SqlValue[];
  /** Descriptions of the connection by name. A changed schema makes PostgreSQL reject the statement. */
  readonly #descriptions: Map<string, RowDescription>;
  readonly #settle: { resolve(result: QueryResult<R>): void; reject(error: unknown): void };
  #description = NO_ROWS;
  readonly #rows: R[] = [];
  #tag = '';

  constructor(
    config: { readonly text: string; readonly name: string; readonly values: readonly SqlValue[] },
    descriptions: Map<string, RowDescription>,
    settle: { resolve(result: QueryResult<R>): void; reject(error: unknown): void },
  ) {
    super({ text: config.text, name: config.name }, () => {});
    this.#values = config.values;
    this.#descriptions = descriptions;
    this.#settle = settle;
  }

  submit(protocol: ProtocolConnection): void {
    const { text, name } = this;
    const description = this.#descriptions.get(name);
    this.#description = description ?? NO_ROWS;
    protocol.stream.cork();
    if (protocol.parsedStatements[name] === undefined && protocol.submittedNamedStatements[name] === undefined) {
      protocol.parse({ text, name, types: undefined });
      protocol.submittedNamedStatements[name] = text;
    }
    protocol.bind({ portal: '', statement: name, values: this.#values.map((value) => (value === null ? null : String(value))) });
    if (description === undefined) protocol.describe({ type: 'P', name: '' });
    protocol.execute({ portal: '' });
    protocol.sync();
    protocol.stream.uncork();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#description = describeRows(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { names, parsers, template } = this.#description;
    const row: Record<string, unknown> = { ...template };
    for (let column = 0; column < names.length; column += 1) {
      const value = fields[column];
      if (value != null) row[names[column] as string] = (parsers[column] as ValueParser)(value);
    }
    this.#rows.push(row as R);
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#tag = text;
    this.#descriptions.set(this.name, this.#description);
  }

  handleReadyForQuery(): void {
    this.#settle.resolve({ rows: this.#rows, ...parseCommandTag(this.#tag) });
  }

  handleError(error: unknown): void {
    this.#settle.reject(error);
  }
}
