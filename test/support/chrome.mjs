import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const EXECUTABLE_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const FIXED_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Arguments of Chromium in every test: no sandbox (root has none), and no network requests of its own. */
export const CHROME_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Finds a browser: CHROME_PATH, else one of the usual names. Returns null if there is none. */
export function findChrome() {
  const inPath = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => EXECUTABLE_NAMES.map((name) => join(folder, name)));
  return [process.env.CHROME_PATH, ...inPath, ...FIXED_PATHS].find((path) => path && canRun(path)) ?? null;
}

function canRun(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Finds a browser or, on Debian as root, installs one. Otherwise throws an error that says what to do. */
export function ensureChrome() {
  const found = findChrome() ?? installOnDebian();
  if (found === null) throw new Error('The tests need Chromium or Chrome: install one, or name it in CHROME_PATH.');
  return found;
}

function installOnDebian() {
  const debian = existsSync('/etc/os-release') && /^ID(_LIKE)?=.*debian/m.test(readFileSync('/etc/os-release', 'utf8'));
  if (!debian || process.getuid?.() !== 0) return null;
  console.log('Installing Chromium…');
  const options = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], options);
  spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-dejavu-core', 'fonts-noto-color-emoji'],
    options,
  );
  return findChrome();
}
