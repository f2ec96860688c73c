// Files for deployment: compose.yaml, the alert rules, the dashboard and the configuration of nginx in a container.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { parse } from 'yaml';
import { readConfig, SETTING_NAMES } from '../../server/config.ts';
import { checkNginxConfiguration, noNginx, SITE } from '../support/nginx.ts';
import { startListening } from './events/event-stream-client.ts';
import { makeBotSite } from './sources/telegram/bot-site.ts';
import { makeApp, makeFolder } from './support/make-app.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

const Service = Type.Object({
  environment: Type.Record(Type.String(), Type.String()),
  command: Type.Optional(Type.Array(Type.String())),
  secrets: Type.Optional(Type.Array(Type.String())),
  volumes: Type.Array(Type.String()),
  networks: Type.Optional(Type.Array(Type.String())),
  depends_on: Type.Optional(Type.Record(Type.String(), Type.Object({ condition: Type.String() }))),
  healthcheck: Type.Object({ test: Type.Array(Type.String()) }),
});
const Compose = Type.Object({
  services: Type.Object({ server: Service, postgres: Service, nginx: Service, objects: Type.Optional(Service) }),
  networks: Type.Record(Type.String(), Type.Unknown()),
  volumes: Type.Record(Type.String(), Type.Unknown()),
  secrets: Type.Record(Type.String(), Type.Object({ file: Type.String() })),
});

const readCompose = () => Value.Parse(Compose, parse(read('compose.yaml')));

/** The services, secrets, networks and volumes of compose.yaml with those of deploy/compose.s3.yaml, as Compose merges them. */
const readComposeWithS3 = () => {
  const [base, added] = [parse(read('compose.yaml')), parse(read('deploy/compose.s3.yaml'))];
  const { server } = base.services;
  const merged = {
    ...server,
    environment: { ...server.environment, ...added.services.server.environment },
    secrets: [...server.secrets, ...added.services.server.secrets],
    networks: [...server.networks, ...added.services.server.networks],
    depends_on: { ...server.depends_on, ...added.services.server.depends_on },
  };
  return Value.Parse(Compose, {
    services: { ...base.services, ...added.services, server: merged },
    networks: { ...base.networks, ...added.networks },
    volumes: { ...base.volumes, ...added.volumes },
    secrets: { ...base.secrets, ...added.secrets },
  });
};

/** Replaces `${NAME:-default}` and `${NAME:?message}` as Compose does. A variable that is not set has no value. */
const interpolate = (text: string, variables: Record<string, string>): string =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_match, name: string, kind?: string, rest = '') => {
    assert.ok(kind !== '?' || variables[name] !== undefined, `${name} is required: ${rest}`);
    return variables[name] ?? (kind === '-' ? rest : '');
  });

describe('compose.yaml', () => {
  it('sets only settings that exist, and the server accepts their defaults', (t) => {
    const { server } = readCompose().services;
    for (const name of Object.keys(server.environment)) assert.ok(SETTING_NAMES.includes(name), name);
    const folder = makeFolder(t);
    const values = {
      bot_token: '12345:abc',
      metrics_token: 'a-token-of-32-characters-or-more',
      database_url: 'postgres://changer:secret@postgres/changer',
    };
    for (const [name, value] of Object.entries(values)) writeFileSync(path.join(folder, name), `${value}\n`);
    const environment = Object.fromEntries(
      Object.entries(server.environment).map(([name, value]) => [
        name,
        interpolate(value, { DOMAIN: 'channels.example' }).replace('/run/secrets', folder),
      ]),
    );
    const config = readConfig(environment);
    assert.deepEqual(
      [config.botToken, config.metricsToken, config.databaseUrl, config.publicUrl],
      [values.bot_token, values.metrics_token, values.database_url, 'https://channels.example'],
    );
    assert.throws(() => interpolate(server.environment.PUBLIC_URL ?? '', {}), /DOMAIN is required/);
    const keys = { s3_access_key_id: 'a-key', s3_secret_access_key: 'its-secret' };
    for (const [name, value] of Object.entries(keys)) writeFileSync(path.join(folder, name), `${value}\n`);
    const added = parse(read('deploy/compose.s3.yaml')).services.server.environment;
    const s3Environment = Object.entries<string>(added).map(([name, value]) => [name, value.replace('/run/secrets', folder)]);
    const { s3 } = readConfig({ ...environment, ...Object.fromEntries(s3Environment) });
    assert.deepEqual(
      [s3?.endpoint, s3?.bucket, s3?.credentials],
      ['http://objects:8333', 'channel-changer', { accessKeyId: 'a-key', secretAccessKey: 'its-secret' }],
    );
  });

  it('contains no secret, and mounts each secret that a service reads from a file', () => {
    const { services, secrets } = readComposeWithS3();
    for (const [name, { environment, command = [], secrets: mounted = [] }] of Object.entries(services)) {
      const files = Object.entries(environment).flatMap(([setting, file]) => (setting.endsWith('_FILE') ? [file] : []));
      const named = [...files, ...command.flatMap((argument) => /\/run\/secrets\/\w+/.exec(argument) ?? [])];
      assert.deepEqual(named.sort(), mounted.map((secret) => `/run/secrets/${secret}`).sort(), name);
      for (const secret of mounted) assert.equal(secrets[secret]?.file, `./secrets/${secret}`);
      for (const setting of Object.keys(environment)) assert.doesNotMatch(setting, /(TOKEN|PASSWORD|DATABASE_URL)$/);
    }
    for (const file of ['.gitignore', '.dockerignore']) assert.match(read(file), /^\/?secrets\/?$/m, file);
  });

  it('names only files, volumes, networks and services that exist', () => {
    const { services, volumes, networks } = readComposeWithS3();
    for (const service of Object.values(services)) {
      for (const [source = ''] of service.volumes.map((volume) => volume.split(':'))) {
        if (source.startsWith('./')) assert.ok(existsSync(path.join(ROOT, source)), source);
        else if (!source.startsWith('/')) assert.ok(source in volumes, source);
      }
      for (const network of service.networks ?? []) assert.ok(network in networks, network);
      for (const [name, { condition }] of Object.entries(service.depends_on ?? {})) {
        assert.ok(name in services, name);
        assert.equal(condition, 'service_healthy');
      }
    }
  });

  it('reports the server as healthy until its shutdown begins', async (t) => {
    const testApp = await makeApp(t);
    const { port } = new URL(await startListening(testApp));
    const [, , flag = '', compose = ''] = readCompose().services.server.healthcheck.test;
    const image = /^ {2}CMD \["node", "-e", "(.+)"\]$/m.exec(read('Containerfile'))?.[1] ?? '';
    const exitCodes = () =>
      Promise.all(
        [compose.replace('8080', port), image].map(async (script) => {
          const check = spawn(process.execPath, [flag, script], { env: { PORT: port }, stdio: 'inherit' });
          const [code] = await once(check, 'exit');
          return code;
        }),
      );
    assert.deepEqual(await exitCodes(), [0, 0]);
    await testApp.app.drain(0);
    assert.deepEqual(await exitCodes(), [1, 1]);
  });
});

describe('the nginx container', { skip: noNginx() }, () => {
  const script = path.join(ROOT, 'deploy/configure-nginx.sh');
  const example = path.join(ROOT, 'deploy/nginx.conf');

  /** Runs the script on a folder with the files of the image that it changes. */
  function configure(t: TestContext, domain: string) {
    const folder = makeFolder(t);
    mkdirSync(path.join(folder, 'conf.d'));
    writeFileSync(path.join(folder, 'conf.d/default.conf'), '');
    writeFileSync(path.join(folder, 'nginx.conf'), 'events {\n    worker_connections  1024;\n}\n');
    execFileSync(script, [example, folder], { env: { PATH: process.env.PATH, DOMAIN: domain }, stdio: 'pipe' });
    return {
      site: readFileSync(path.join(folder, 'conf.d/channel-changer.conf'), 'utf8'),
      main: readFileSync(path.join(folder, 'nginx.conf'), 'utf8'),
      hasDefaultSite: existsSync(path.join(folder, 'conf.d/default.conf')),
    };
  }

  it('has a configuration that nginx accepts, with its log on the standard output', async (t) => {
    const { site, main, hasDefaultSite } = configure(t, SITE);
    await checkNginxConfiguration(site);
    assert.match(site, /access_log \/dev\/stdout channel_changer;/);
    assert.match(main, /worker_connections 16384;/);
    assert.equal(hasDefaultSite, false);
    await assert.rejects(checkNginxConfiguration(`${site}\nunknown_directive;`), /unknown_directive/);
  });

  it('serves the domain name of .env, and rejects a value that is no domain name', (t) => {
    const { site } = configure(t, 'news.example');
    assert.doesNotMatch(site, /channels\.example/);
    assert.match(site, /ssl_certificate \/etc\/letsencrypt\/live\/news\.example\/fullchain\.pem;/);
    for (const domain of ['', 'a;b', 'a/b', 'a b']) assert.throws(() => configure(t, domain), /DOMAIN is not a domain name/);
  });
});

const Alerts = Type.Object({
  groups: Type.Array(
    Type.Object({
      rules: Type.Array(
        Type.Object({
          alert: Type.String(),
          expr: Type.String(),
          labels: Type.Object({ severity: Type.Enum(['critical', 'warning']) }),
          annotations: Type.Object({ summary: Type.String(), description: Type.String() }),
        }),
      ),
    }),
  ),
});
const Dashboard = Type.Object({
  panels: Type.Array(
    Type.Object({
      id: Type.Integer(),
      title: Type.String(),
      targets: Type.Array(Type.Object({ refId: Type.String(), expr: Type.String() })),
    }),
  ),
});

/** Labels that Prometheus adds to each series. */
const PROMETHEUS_LABELS = ['instance', 'job'];

/** Settings with which the server has the metric of a replica. The store of a test server is SQLite and connects to neither. */
const REPLICA_SETTINGS = {
  DATABASE_URL: 'postgres://changer@127.0.0.1:9/changer',
  DATABASE_REPLICA_URL: 'postgres://changer@127.0.0.1:9/replica',
};

/** Returns the labels of each series in the real response of /metrics of a server with a bot and a replica. */
async function readSeries(t: TestContext): Promise<Map<string, Set<string>>> {
  const { app } = await makeBotSite(t, REPLICA_SETTINGS, false);
  await app.inject('/api/version');
  const series = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of (await app.inject('/metrics')).body.matchAll(/^(\w+)(?:\{(.*)\})? /gm)) {
    const known = series.get(name) ?? new Set(PROMETHEUS_LABELS);
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    series.set(name, known);
  }
  return series;
}

/** Asserts that each series that a PromQL expression names exists, with the labels that the expression uses. */
function assertSeriesExist(expression: string, series: Map<string, Set<string>>, title: string): void {
  const selectors = [...expression.matchAll(/\b(changer_\w+)(?:\{([^}]*)\})?/g)];
  assert.ok(selectors.length > 0 || /^up\b/.test(expression), `${title} names no metric`);
  const grouping = [...expression.matchAll(/\b(?:by|ignoring|on|without) \(([^)]*)\)/g)].flatMap(([, labels = '']) =>
    labels.split(', '),
  );
  for (const [, name = '', matchers = ''] of selectors) {
    const labels = series.get(name);
    assert.ok(labels, `${title}: ${name} does not exist`);
    for (const [, label = ''] of matchers.matchAll(/(\w+)[=!]/g))
      assert.ok(labels.has(label), `${title}: ${name} has no ${label}`);
  }
  const usedLabels = new Set(selectors.flatMap(([, name = '']) => [...(series.get(name) ?? [])]));
  for (const label of grouping) assert.ok(usedLabels.has(label), `${title}: no metric has the label ${label}`);
}

describe('monitoring', () => {
  it('has alert rules, each for series that /metrics contains', async (t) => {
    const series = await readSeries(t);
    const rules = Value.Parse(Alerts, parse(read('deploy/prometheus-alerts.yaml'))).groups.flatMap((group) => group.rules);
    assert.ok(rules.length > 10);
    assert.equal(new Set(rules.map(({ alert }) => alert)).size, rules.length);
    for (const { alert, expr } of rules) assertSeriesExist(expr, series, alert);
  });

  it('has a dashboard, each panel for series that /metrics contains', async (t) => {
    const series = await readSeries(t);
    const { panels } = Value.Parse(Dashboard, JSON.parse(read('deploy/grafana-dashboard.json')));
    assert.ok(panels.length > 10);
    assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
    for (const { title, targets } of panels) for (const { expr } of targets) assertSeriesExist(expr, series, title);
  });

  it('has an alert for each metric that docs/deploy.md says to watch', () => {
    const [, section = ''] = /## Monitoring\n([\s\S]*)$/.exec(read('docs/deploy.md')) ?? [];
    const watched = [...section.matchAll(/^\| `(changer_\w+)`/gm)].map(([, name = '']) => name);
    assert.ok(watched.length > 10);
    const rules = read('deploy/prometheus-alerts.yaml');
    for (const name of watched) assert.ok(rules.includes(name), name);
  });
});
