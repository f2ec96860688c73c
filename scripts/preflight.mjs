/** Preflight checks of `npm start`: the Node version, the installed packages and the build. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const MIN_NODE_VERSION = [20, 19];
/** First Node version with built-in SQLite. Older ones need better-sqlite3. */
const NODE_WITH_SQLITE = [22, 13];
const INSTALL_STAMP = 'node_modules/.installed-lock';
const BUILD_STAMP = 'dist/.built-from';
/** Files and folders that the build depends on. */
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

/** Returns true if this Node version is the given one or a later one. */
const isNodeAtLeast = ([major, minor]) => {
  const [currentMajor, currentMinor] = process.versions.node.split('.').map(Number);
  return currentMajor > major || (currentMajor === major && currentMinor >= minor);
};

/** Throws if this Node version is too old. */
export function ensureNode() {
  if (!isNodeAtLeast(MIN_NODE_VERSION))
    throw new Error(`Node ${MIN_NODE_VERSION.join('.')} or newer is required; this is ${process.versions.node}.`);
}

/**
 * Installs the packages if the lock file changed since the last installation, or the ABI of Node, for which a package
 * may be compiled.
 */
export function ensureInstalled() {
  const fingerprint = createHash('sha256')
    .update(readFileSync('package-lock.json'))
    .update(process.versions.modules)
    .digest('hex');
  if (readStamp(INSTALL_STAMP) !== fingerprint) {
    console.log('Installing packages…');
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      stdio: 'inherit',
      env: installEnvironment(),
    });
    if (status !== 0)
      throw new Error(
        'Could not install the packages: the output of npm above has the reason. The installation needs access to the registry.',
      );
    writeFileSync(INSTALL_STAMP, fingerprint);
  }
  if (!isNodeAtLeast(NODE_WITH_SQLITE) && !hasSqlite()) {
    throw new Error(
      'SQLite is missing: on Node 20 better-sqlite3 must be compiled. Install a compiler (on Debian: apt-get install -y g++ make python3), ' +
        'delete node_modules and start again, or use Node 22.13 or newer, which has SQLite built in.',
    );
  }
}

/**
 * Returns the environment for `npm ci`. A compilation needs Node's headers. If they are next to this Node, they need
 * not be downloaded.
 */
function installEnvironment() {
  const prefix = dirname(dirname(process.execPath));
  const localHeaders = existsSync(join(prefix, 'include/node/node.h')) ? { npm_config_nodedir: prefix } : {};
  return { PUPPETEER_SKIP_DOWNLOAD: '1', ...localHeaders, ...process.env };
}

function hasSqlite() {
  try {
    createRequire(import.meta.url)('better-sqlite3')(':memory:').close();
    return true;
  } catch {
    return false;
  }
}

/** Builds if a source changed since the last build. */
export function ensureBuilt() {
  const fingerprint = fingerprintSources();
  if (readStamp(BUILD_STAMP) === fingerprint && existsSync('dist/build.json')) return;
  console.log('Building…');
  const { status, stdout, stderr } = spawnSync(process.execPath, ['build.mjs', '--budgets=report'], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${stdout}${stderr}The build failed.`);
  writeFileSync(BUILD_STAMP, fingerprint);
}

/** Records that the sources have just been built by other means. */
export const writeBuildStamp = () => writeFileSync(BUILD_STAMP, fingerprintSources());

function fingerprintSources() {
  const hash = createHash('sha256').update(process.env.API_URL ?? '');
  for (const path of SOURCES.filter(existsSync).flatMap(filesIn)) {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex');
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map((entry) => join(entry.parentPath ?? entry.path, entry.name)).sort();
}

const readStamp = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null);
