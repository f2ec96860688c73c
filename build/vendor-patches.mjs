import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'terser';

const absent = (what) => `() => { throw new TypeError('This build has no ${what}'); }`;

/** Validators of options find slips of a programmer's, and ours are type-checked. */
const UNCHECKED = `
  const accept = () => () => true;
  export default {
    assertOptions() {},
    validators: { transitional: accept, spelling: accept, boolean: accept, function: accept },
  };`;

/** The one cookie that is read is the token against forged requests. */
const COOKIES = `
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const read = (name) => {
    const found = document.cookie.split(';').map((cookie) => cookie.trim()).find((cookie) => cookie.startsWith(name + '='));
    return found === undefined ? null : decoded(found.slice(name.length + 1));
  };
  export default { read, readAsync: async (name) => read(name) };`;

/** An error says what went wrong, by its code too; nobody writes one out as JSON, where secrets would have to be struck out. */
const ERRORS = `
  const CODES = ['ERR_BAD_OPTION_VALUE', 'ERR_BAD_OPTION', 'ECONNABORTED', 'ETIMEDOUT', 'ERR_NETWORK', 'ERR_BAD_RESPONSE',
    'ERR_BAD_REQUEST', 'ERR_CANCELED', 'ERR_NOT_SUPPORT', 'ERR_INVALID_URL'];
  export const REDACTED = '[REDACTED ****]';
  export const getCauseStackIndex = () => -1;
  export default class AxiosError extends Error {
    constructor(message, code, config, request, response) {
      super(message);
      this.name = 'AxiosError';
      this.isAxiosError = true;
      const known = Object.entries({ code, config, request, response, status: response?.status });
      for (const [name, value] of known) if (value) this[name] = value;
    }
    static from(cause, code, config, request, response, more) {
      const made = new AxiosError(cause.message, code || cause.code, config, request, response);
      return Object.assign(made, { name: cause.name, cause }, more);
    }
  }
  for (const code of CODES) AxiosError[code] = code;`;

/** Nobody takes an interceptor back. */
const INTERCEPTORS = `
  export default class {
    handlers = [];
    use(fulfilled, rejected, { synchronous = false, runWhen = null } = {}) {
      return this.handlers.push({ fulfilled, rejected, synchronous, runWhen }) - 1;
    }
    forEach(visit) {
      this.handlers.forEach(visit);
    }
  }`;

/** Of a Cache-Control header what the cache asks for. */
const CACHE_CONTROL = `
  export function parse(header) {
    const said = Object.fromEntries(header.toLowerCase().replace(/\\s+/g, '').split(',').map((part) => part.split('=')));
    const is = (name) => name in said;
    const seconds = (name) => (said[name] >= 0 ? Number(said[name]) : undefined);
    return {
      noCache: is('no-cache'),
      noStore: is('no-store'),
      immutable: is('immutable'),
      maxAge: seconds('max-age'),
      maxStale: seconds('max-stale'),
      staleWhileRevalidate: seconds('stale-while-revalidate'),
      staleIfError: seconds('stale-if-error'),
    };
  }`;

/**
 * What axios, its cache and Navigo bring for callers that this app does not have. axios: a fetch adapter (XMLHttpRequest
 * stays) and the choice of one, forms and their encoding (src/api/axios-transport.ts writes its own query), a search for circles in what
 * is always plain, progress events, data: addresses, its own sort of cancelling (AbortSignal stays), a table of status names,
 * errors as JSON, interceptors that are taken back, cookies that are written. Its cache: keys and Vary rules (ours hold all
 * that answers vary by), what only requests say in Cache-Control. Navigo: what is written into the history
 * (src/app/router/router.ts writes it), hooks of a route that is left. None of them tree-shakes.
 */
const WITHOUT = [
  [/axios[\\/]lib[\\/]adapters[\\/]fetch\.js$/, 'export const getFetch = () => null; export default null;'],
  [/axios[\\/]lib[\\/]helpers[\\/](toFormData|AxiosURLSearchParams|toURLEncodedForm)\.js$/, `export default ${absent('forms')};`],
  [/axios[\\/]lib[\\/]core[\\/]setFormDataHeaders\.js$/, `export default ${absent('forms')};`],
  [/axios[\\/]lib[\\/]helpers[\\/](estimateDataURLDecodedBytes|formDataToJSON|HttpStatusCode|spread)\.js$/, 'export default {};'],
  [/axios[\\/]lib[\\/]helpers[\\/](composeSignals|trackStream)\.js$/, 'export default {}; export const trackStream = null;'],
  [/axios[\\/]lib[\\/]core[\\/]assertParamsAcyclic\.js$/, 'export default () => {};'],
  [/axios[\\/]lib[\\/]helpers[\\/]validator\.js$/, UNCHECKED],
  [/axios[\\/]lib[\\/]cancel[\\/]CancelToken\.js$/, `export default ${absent('CancelToken')};`],
  [
    /axios[\\/]lib[\\/]helpers[\\/]progressEventReducer\.js$/,
    'export const progressEventReducer = () => [], progressEventDecorator = () => [], asyncDecorator = (call) => call;',
  ],
  [/node_modules[\\/]axios[\\/]index\.js$/, "export { default } from './lib/axios.js';"],
  [
    /axios[\\/]lib[\\/]adapters[\\/]adapters\.js$/,
    // The cache answers through an adapter of its own.
    `import xhr from './xhr.js';
    const getAdapter = (adapter) => (typeof adapter === 'function' ? adapter : xhr);
    export default { getAdapter, adapters: { xhr } };`,
  ],
  [/axios[\\/]lib[\\/]helpers[\\/]cookies\.js$/, COOKIES],
  [/axios[\\/]lib[\\/]core[\\/]AxiosError\.js$/, ERRORS],
  [/axios[\\/]lib[\\/]core[\\/]InterceptorManager\.js$/, INTERCEPTORS],
  [/node_modules[\\/]cache-parser[\\/]/, CACHE_CONTROL],
  [/node_modules[\\/]object-code[\\/]/, `export const hash = ${absent('default cache keys')};`],
  [
    /navigo[\\/]lib[\\/]es[\\/]middlewares[\\/](checkForLeaveHook|updateBrowserURL)\.js$/,
    'export default (context, done) => done();',
  ],
  [/node_modules[\\/]http-vary[\\/]/, `export const compare = ${absent('Vary rules')}; export const parse = compare;`],
];

/**
 * Functions of react-dom that run only for what no page of ours renders or calls, and what they return here: hints for the
 * document's head (preload, preinit and others), elements that React moves into the head (link, style, script, title, meta),
 * forms with a function as their action, onSelect and onBeforeInput. A new version of react-dom that lacks one fails the build.
 */
const UNUSED_IN_REACT_DOM = {
  prefetchDNS: '',
  preconnect: '',
  preload: '',
  preloadModule: '',
  preinitStyle: '',
  preinitScript: '',
  preinitModuleScript: '',
  isHostHoistableType: 'return false;',
  getResource: 'return null;',
  acquireResource: 'return null;',
  mountHoistable: '',
  suspendResource: '',
  extractEvents$1: '',
  constructSelectEvent: '',
  getNativeBeforeInputChars: 'return null;',
  getFallbackBeforeInputChars: 'return null;',
};

function withoutUnused(source, path) {
  return Object.entries(UNUSED_IN_REACT_DOM).reduce((rest, [name, body]) => {
    // A top-level function ends at the first brace that begins a line.
    const found = new RegExp(`^function ${name.replace('$', '\\$')}\\([^)]*\\) \\{\\n.*?^\\}$`, 'ms');
    if (!found.test(rest)) throw new Error(`build: ${path} has no ${name}; see build/vendor-patches.mjs`);
    return rest.replace(found, () => `function ${name}() { ${body} }`);
  }, source);
}

/** An esbuild plugin that bundles them without those parts. */
export const slimLibraries = {
  name: 'slim-libraries',
  setup(build) {
    for (const [filter, contents] of WITHOUT) build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    build.onLoad({ filter: /react-dom-client\.production\.js$/ }, async ({ path }) => ({
      contents: withoutUnused(await readFile(path, 'utf8'), path),
      loader: 'js',
    }));
    build.onLoad({ filter: /axios[\\/]lib[\\/].*\.js$/ }, async ({ path }) => ({
      contents: shakeable(await readFile(path, 'utf8'), path),
      loader: 'js',
    }));
  },
};

/** axios' own tools are properties of one object, of which no bundler can drop any: here they are exported by name. */
function shakeable(source, path) {
  if (!/lib[\\/]utils\.js$/.test(path)) return source.replace(/^import utils from /m, 'import * as utils from ');
  const exported = source.replace(/^export default \{([^{}]*)\};$/m, (_, names) => {
    return `export {${names.replace(/(\w+): (\w+)/g, '$2 as $1')}};`;
  });
  if (exported === source) throw new Error(`build: ${path} does not export its tools as it did; see build/vendor-patches.mjs`);
  return exported;
}

/**
 * Minifies the bundler's outputs once more: terser folds across statements, which esbuild does not (3 % of the gzip). Function
 * expressions become arrows: nothing in the bundle makes objects with one that never says `this`, and none is called with `new`
 * that is an object's property, which is all that could break. No getter of ours or of theirs does anything, so one whose value
 * is unused goes.
 */
export async function minifyOnce(paths) {
  for (const path of paths) {
    const [source, map] = await Promise.all([readFile(path, 'utf8'), readFile(`${path}.map`, 'utf8')]);
    const { code, map: joined } = await minify(source, {
      module: true,
      ecma: 2020,
      compress: {
        passes: 2,
        ecma: 2020,
        inline: 1,
        // Functions that are used once become smaller inlined, but for React's: its repeated shapes compress better.
        reduce_funcs: !source.includes('react.dev/errors'),
        // `x === 1` and separate statements compress better than `1 === x` and sequences.
        lhs_constants: false,
        sequences: false,
        pure_getters: true,
        unsafe_arrows: true,
        unsafe_methods: true,
      },
      format: { ecma: 2020, comments: false },
      // No link to it: every reader would load the line. In a browser's tools the map, beside its file, is added by hand.
      sourceMap: { content: map },
    });
    await Promise.all([writeFile(path, code), writeFile(`${path}.map`, joined)]);
  }
}
