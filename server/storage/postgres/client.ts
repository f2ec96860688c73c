// Clients of PostgreSQL: the settings of a connection, TLS, and the next host after a failure.

import type { ConnectionOptions } from 'node:tls';
import pg from 'pg';
import type { PostgresAddress } from '../../lib/postgres-url.ts';
import type { RowDescription } from './named-query.ts';
import type { SocketSet } from './sockets.ts';
import { CUSTOM_TYPES } from './value-types.ts';

const CONNECT_TIMEOUT_MS = 10_000;

/** Idle time after which the system probes whether the other side exists. Linux then detects its end within 40 s. */
const KEEP_ALIVE_DELAY_MS = 30_000;

/** TLS of a connection: `null` means without TLS; `prefer` means without TLS if the server has none. */
interface Tls {
  readonly options: ConnectionOptions;
  readonly isOptional: boolean;
}

/** Returns the TLS settings of an address. An unknown `sslmode` verifies the certificate. */
const tlsOf = ({ sslmode, ssl = sslmode, sslrootcert }: PostgresAddress['settings']): Tls | null => {
  if (sslrootcert === 'system') return { options: {}, isOptional: false };
  if (ssl === undefined || ssl === 'disable' || ssl === 'false') return null;
  const isVerified = !['allow', 'prefer', 'require', 'no-verify'].includes(ssl);
  return { options: { rejectUnauthorized: isVerified }, isOptional: ssl === 'prefer' };
};

/** Settings that this program or the former driver understands. The server would reject them. */
const CLIENT_SETTINGS: ReadonlySet<string> = new Set([
  ...['max', 'ssl', 'sslmode', 'sslrootcert', 'sslnegotiation', 'target_session_attrs', 'application_name', 'options'],
  ...['idle_timeout', 'connect_timeout', 'max_lifetime', 'max_pipeline', 'backoff', 'keep_alive', 'prepare', 'debug'],
  ...['fetch_types', 'publications'],
]);

/** Returns the settings of a session in the form of PostgreSQL's command line. */
const serverOptionsOf = (settings: PostgresAddress['settings']): string => {
  const options = Object.entries(settings)
    .filter(([name]) => !CLIENT_SETTINGS.has(name))
    .map(([name, value]) => `-c ${`${name}=${value}`.replace(/[\\\s]/g, '\\$&')}`);
  return [...(settings.options === undefined ? [] : [settings.options]), ...options].join(' ');
};

/** Statements that return whether a host has the properties that `target_session_attrs` of the address requires. */
const HOST_CHECKS: Readonly<Record<string, string>> = {
  primary: 'SELECT NOT pg_is_in_recovery() AS is_suitable',
  'read-write': "SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS is_suitable",
};

/** The TLS refusal of a server has no code in the driver's error. */
const isTlsRefusal = (error: unknown): boolean => error instanceof Error && error.message.includes('does not support SSL');

/** An error of a connection attempt that has no code gets one. `cause` is the original error. */
const toConnectError = (error: unknown): unknown => {
  if (!(error instanceof Error) || 'code' in error) return error;
  // The driver rejects an empty password itself, and a server that does not know the password.
  const code = error.message.startsWith('SASL') ? '28P01' : 'CONNECTION_CLOSED';
  return Object.assign(new Error(error.message, { cause: error }), { code });
};

/** A client that knows whether its connection is lost. */
export class PoolMember extends pg.Client {
  isLost = false;
  hostIndex = 0;
  /** Descriptions of the rows of named statements. */
  readonly descriptions = new Map<string, RowDescription>();
  constructor(config: pg.ClientConfig) {
    super(config);
    const markLost = () => {
      this.isLost = true;
    };
    // Without a listener, the error of a lost connection would end the process.
    this.on('error', markLost).on('end', markLost);
  }
}

/** Creates the clients of a pool. */
export interface ClientFactory {
  /** Class without arguments, of which the pool creates its clients. */
  readonly Client: new () => PoolMember;
  /** Checks the host of a new connection. Calls `done` with an error if another host is required. */
  readonly verify: (client: pg.ClientBase, done: (error?: Error) => void) => void;
  /**
   * Calls `connect`, and again for each other host while an attempt fails. Rejects with an error that has a code.
   */
  connect<T>(connect: () => Promise<T>): Promise<T>;
}

/** Returns the configuration of a client without its host. */
const configOf = (
  { user, password, database, settings }: PostgresAddress,
  statementTimeoutMs: number | null,
): pg.ClientConfig => {
  const options = serverOptionsOf(settings);
  return {
    ...(user !== '' && { user }),
    // The driver keeps a function, so that no output of a client or of its configuration contains the password.
    ...(password !== '' && { password: () => password }),
    ...(database !== '' && { database }),
    ...(options !== '' && { options }),
    ...(statementTimeoutMs !== null && settings.statement_timeout === undefined && { statement_timeout: statementTimeoutMs }),
    ...(settings.sslnegotiation === 'direct' && { sslnegotiation: 'direct' as const }),
    application_name: settings.application_name ?? 'channel-changer',
    types: CUSTOM_TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_DELAY_MS,
    // Statements of a transaction are sent without waiting for the result of the previous one.
    pipeline: true,
  };
};

/** Creates a client factory. After a connection error the next host is used. */
export function createClientFactory(
  address: PostgresAddress,
  sockets: SocketSet,
  statementTimeoutMs: number | null,
): ClientFactory {
  const { hosts, ports, settings } = address;
  const config = configOf(address, statementTimeoutMs);
  let tls = tlsOf(settings);
  let currentHost = 0;
  const skipHost = (index: number) => {
    if (currentHost === index) currentHost = (index + 1) % hosts.length;
  };

  class ServerClient extends PoolMember {
    constructor() {
      const hostIndex = currentHost;
      const socket = sockets.open();
      super({
        ...config,
        host: hosts[hostIndex] ?? '',
        port: ports[hostIndex] ?? 0,
        ssl: tls === null ? false : { ...tls.options },
        stream: () => socket,
      });
      this.hostIndex = hostIndex;
      const timeout = setTimeout(
        () => socket.destroy(Object.assign(new Error('The database host does not respond.'), { code: 'CONNECT_TIMEOUT' })),
        CONNECT_TIMEOUT_MS,
      );
      let isConnected = false;
      this.once('connect', () => {
        isConnected = true;
        clearTimeout(timeout);
      });
      socket.once('error', () => {
        if (!isConnected) skipHost(hostIndex);
      });
      socket.once('close', () => clearTimeout(timeout));
    }
  }

  return {
    Client: ServerClient,
    verify(client, done) {
      const check = HOST_CHECKS[settings.target_session_attrs ?? ''];
      if (check === undefined) return done();
      client.query<{ is_suitable: number }>(check).then(({ rows }) => {
        if (rows[0]?.is_suitable) return done();
        if (client instanceof PoolMember) skipHost(client.hostIndex);
        done(Object.assign(new Error('The database host is read-only.'), { code: '25006' }));
      }, done);
    },
    async connect(connect) {
      for (let attempt = 1; ; attempt += 1) {
        const [attemptedHost, attemptedTls] = [currentHost, tls];
        try {
          return await connect();
        } catch (error) {
          if (tls?.isOptional && isTlsRefusal(error)) tls = null;
          const isChanged = currentHost !== attemptedHost || tls !== attemptedTls;
          if (!isChanged || attempt > hosts.length) throw toConnectError(error);
        }
      }
    },
  };
}
