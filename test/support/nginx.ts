// nginx with deploy/nginx.conf: a real process on a free port of this machine, with its own folder. It is removed after the
// test.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { connect } from 'node:tls';
import { until } from './browser.ts';
import { freePort } from './free-port.ts';

const EXAMPLE = resolve(import.meta.dirname, '../../deploy/nginx.conf');
export const NGINX_PROGRAM = '/usr/sbin/nginx';
export const SITE = 'channels.example';

/** Returns the reason why nginx is unavailable for tests; false if it is available. */
export const noNginx = (): string | false =>
  existsSync(NGINX_PROGRAM) ? false : 'nginx is not installed (on Debian: apt-get install nginx-light)';

export interface Nginx {
  readonly port: number;
  /** Connects by HTTP/2 from an address of this machine. */
  connect(from?: string): ClientHttp2Session;
  /** The address that port 80 serves. */
  readonly httpOrigin: string;
  /** Creates a file in the folder that port 80 serves for the renewal of certificates (ACME challenges). */
  putChallenge(name: string, text: string): void;
  /** Returns everything that was written to its logs. */
  logs(): string;
  /** Deletes the folder where it buffers request bodies, so that nginx itself fails. */
  forgetBodies(): void;
  stop(): Promise<void>;
}

/** Throws if nginx rejects a configuration of the site, which has the addresses and folders of the example. */
export async function checkNginxConfiguration(configuration: string): Promise<void> {
  const { folder } = await prepare(configuration, '127.0.0.1:8080');
  rmSync(folder, { recursive: true, force: true });
}

/** Writes a configuration with addresses and folders of the test, and checks it. */
async function prepare(configuration: string, upstream: string) {
  const folder = mkdtempSync(join(tmpdir(), 'changer-nginx-'));
  const [plainPort, port] = await Promise.all([freePort(), freePort()]);
  const settings = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
  try {
    const certificate = makeCertificate(folder);
    writeFileSync(join(folder, 'site.conf'), render(configuration, { folder, upstream, plainPort, port }));
    writeFileSync(join(folder, 'nginx.conf'), frame(folder));
    mkdirSync(join(folder, 'logs'));
    // nginx cannot open /dev/stdout again if it is a socket, as a pipe of Node is.
    execFileSync(NGINX_PROGRAM, [...settings, '-t'], { stdio: ['ignore', 'ignore', 'pipe'] });
    return { folder, settings, certificate, plainPort, port };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Starts nginx with the example configuration in front of these servers (host and port). */
export async function startNginx(...upstreams: readonly string[]): Promise<Nginx> {
  const upstream = upstreams.join(' max_fails=0; server ') + (upstreams.length > 1 ? ' max_fails=0' : '');
  const { folder, settings, certificate, plainPort, port } = await prepare(readFileSync(EXAMPLE, 'utf8'), upstream);
  const logs = join(folder, 'logs');
  const child = spawn(NGINX_PROGRAM, settings, { stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  await until(() => listens(port), 'nginx listens');
  return {
    port,
    httpOrigin: `http://127.0.0.1:${plainPort}`,
    putChallenge(name, text) {
      const challenges = join(folder, '.well-known/acme-challenge');
      mkdirSync(challenges, { recursive: true });
      writeFileSync(join(challenges, name), text);
    },
    logs: () =>
      readdirSync(logs)
        .map((name) => readFileSync(join(logs, name), 'utf8'))
        .join(''),
    forgetBodies: () => rmSync(join(folder, 'client_body'), { recursive: true }),
    connect: (localAddress = '127.0.0.1') =>
      connectHttp2(`https://${SITE}`, {
        createConnection: () =>
          connect({ ...{ port, host: '127.0.0.1', localAddress, servername: SITE }, ca: certificate, ALPNProtocols: ['h2'] }),
      }),
    async stop() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface TestAddresses {
  readonly folder: string;
  readonly upstream: string;
  readonly plainPort: number;
  readonly port: number;
}

/**
 * Renders a configuration with addresses and folders of the test. The test fails if it no longer contains a text that must
 * be replaced.
 */
function render(configuration: string, { folder, upstream, plainPort, port }: TestAddresses): string {
  const changes: [was: string, is: string][] = [
    ['server 127.0.0.1:8080;', `server ${upstream};`],
    ['/var/cache/channel-changer', join(folder, 'cache')],
    ['/var/log/nginx/', `${join(folder, 'logs')}/`],
    ['listen 80;', `listen 127.0.0.1:${plainPort};`],
    ['listen [::]:80;', ''],
    ['root /var/www/html;', `root ${folder};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    [`/etc/letsencrypt/live/${SITE}/fullchain.pem`, join(folder, 'certificate.pem')],
    [`/etc/letsencrypt/live/${SITE}/privkey.pem`, join(folder, 'key.pem')],
  ];
  return changes.reduce((text, [was, is]) => {
    if (!text.includes(was)) throw new Error(`deploy/nginx.conf does not hold ${was}`);
    return text.replaceAll(was, is);
  }, configuration);
}

/** Returns the parts of the nginx.conf of Debian around the example, including its logs. */
const frame = (folder: string): string =>
  frameNginx(
    folder,
    `include /etc/nginx/mime.types; access_log ${join(folder, 'logs/all.log')}; error_log ${join(folder, 'logs/error.log')};
    include ${join(folder, 'site.conf')};`,
  );

/**
 * Returns a configuration with this content of `http`, which writes only to the folder. If nginx runs as root, its workers run as
 * root too, because they must be able to read the folder of the test.
 */
export function frameNginx(folder: string, content: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((kind) => {
    mkdirSync(join(folder, kind));
    return `${kind}_temp_path ${join(folder, kind)};`;
  });
  return `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; worker_processes 1;
    pid ${join(folder, 'pid')}; events { worker_connections 16384; } http { ${temporary.join(' ')} ${content} }`;
}

function makeCertificate(folder: string): Buffer {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const name = ['-subj', `/CN=${SITE}`, '-addext', `subjectAltName=DNS:${SITE}`];
  execFileSync('openssl', ['req', '-x509', ...curve, ...name, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
  return readFileSync(certificate);
}

const listens = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => done(Boolean(socket.end())));
    socket.on('error', () => done(false));
  });
