import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const OLDEST_NODE = [20, 19];
/** The first Node with SQLite built in; before it better-sqlite3 is needed. */
const NODE_WITH_SQLITE = [22, 13];
const INSTALL_STAMP = 'node_modules/.installed-lock';
const BUILD_STAMP = 'dist/.built-from';
const SOURCES = [
  'src',
  'elements',
  'examples',
  'sw',
  'server',
  'contract',
  'build',
  'public',
  'build.mjs',
  'index.html',
  'package.json',
];

const isNode = ([major, minor]) => {
  const [ourMajor, ourMinor] = process.versions.node.split('.').map(Number);
  return ourMajor > major || (ourMajor === major && ourMinor >= minor);
};

/** Throws where this Node is too old to run anything. */
export function ensureNode() {
  if (!isNode(OLDEST_NODE))
    throw new Error(`Node ${OLDEST_NODE.join('.')} or newer is needed; this is ${process.versions.node}.`);
}

/** Installs the packages when the lock, or the Node that compiled one of them, is another than at the last time. */
export function ensureInstalled() {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).update(process.versions.modules).digest('hex');
  if (readStamp(INSTALL_STAMP) !== lock) {
    console.log('Installing packages…');
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      stdio: 'inherit',
      env: installEnvironment(),
    });
    if (status !== 0)
      throw new Error('The packages could not be installed: npm says why above; a network that reaches the registry is needed.');
    writeFileSync(INSTALL_STAMP, lock);
  }
  if (!isNode(NODE_WITH_SQLITE) && !hasSqlite()) {
    throw new Error(
      'SQLite is missing: on Node 20 better-sqlite3 must be compiled. Install a compiler (on Debian: apt-get install -y g++ make python3), ' +
        'delete node_modules and start again, or use Node 22.13 or newer, which has SQLite built in.',
    );
  }
}

/** A compile needs Node's headers: where they stand beside this Node, they need not be downloaded. */
function installEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  const beside = existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {};
  return { PUPPETEER_SKIP_DOWNLOAD: '1', ...beside, ...process.env };
}

function hasSqlite() {
  try {
    createRequire(import.meta.url)('better-sqlite3')(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** Builds when a source is another than at the last build. */
export function ensureBuilt() {
  const sources = describeSources();
  if (readStamp(BUILD_STAMP) === sources && existsSync('dist/build.json')) return;
  console.log('Building…');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build.mjs', '--budgets=tell'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}The build failed.`);
  writeFileSync(BUILD_STAMP, sources);
}

/** Notes that the sources have just been built by other means. */
export const markBuilt = () => writeFileSync(BUILD_STAMP, describeSources());

function describeSources() {
  const hash = createHash('sha256').update(process.env.API_URL ?? '');
  for (const path of SOURCES.filter(existsSync).flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const inside = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return inside.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

const readStamp = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
