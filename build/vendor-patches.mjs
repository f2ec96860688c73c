// Vendor patches: esbuild plugin that removes unused code of the libraries, and the second minification.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { minify } from 'terser';

const throwUnsupported = (feature) => `() => { throw new TypeError('This build has no ${feature}'); }`;

/** Validators of options find programming errors. Our options are type-checked instead. */
const VALIDATOR_STUB = `
  const accept = () => () => true;
  export default {
    assertOptions() {},
    validators: { transitional: accept, spelling: accept, boolean: accept, function: accept },
  };`;

/** The only cookie that is read is the CSRF token. */
const COOKIES_STUB = `
  const decode = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  const read = (name) => {
    const found = document.cookie.split(';').map((cookie) => cookie.trim()).find((cookie) => cookie.startsWith(name + '='));
    return found === undefined ? null : decode(found.slice(name.length + 1));
  };
  export default { read, readAsync: async (name) => read(name) };`;

/** An error has a message and a code. It is never serialized to JSON, so secrets need not be redacted. */
const AXIOS_ERROR_STUB = `
  const CODES = ['ERR_BAD_OPTION_VALUE', 'ERR_BAD_OPTION', 'ECONNABORTED', 'ETIMEDOUT', 'ERR_NETWORK', 'ERR_BAD_RESPONSE',
    'ERR_BAD_REQUEST', 'ERR_CANCELED', 'ERR_NOT_SUPPORT', 'ERR_INVALID_URL'];
  export const REDACTED = '[REDACTED ****]';
  export const getCauseStackIndex = () => -1;
  export default class AxiosError extends Error {
    constructor(message, code, config, request, response) {
      super(message);
      this.name = 'AxiosError';
      this.isAxiosError = true;
      const fields = Object.entries({ code, config, request, response, status: response?.status });
      for (const [name, value] of fields) if (value) this[name] = value;
    }
    static from(cause, code, config, request, response, more) {
      const error = new AxiosError(cause.message, code || cause.code, config, request, response);
      return Object.assign(error, { name: cause.name, cause }, more);
    }
  }
  for (const code of CODES) AxiosError[code] = code;`;

/** Interceptors are never removed. */
const INTERCEPTORS_STUB = `
  export default class {
    handlers = [];
    use(fulfilled, rejected, { synchronous = false, runWhen = null } = {}) {
      return this.handlers.push({ fulfilled, rejected, synchronous, runWhen }) - 1;
    }
    forEach(visit) {
      this.handlers.forEach(visit);
    }
  }`;

/** Parses only the directives of a `Cache-Control` header that the cache uses. */
const CACHE_CONTROL_STUB = `
  export function parse(header) {
    const directives = Object.fromEntries(header.toLowerCase().replace(/\\s+/g, '').split(',').map((part) => part.split('=')));
    const has = (name) => name in directives;
    const seconds = (name) => (directives[name] >= 0 ? Number(directives[name]) : undefined);
    return {
      noCache: has('no-cache'),
      noStore: has('no-store'),
      immutable: has('immutable'),
      maxAge: seconds('max-age'),
      maxStale: seconds('max-stale'),
      staleWhileRevalidate: seconds('stale-while-revalidate'),
      staleIfError: seconds('stale-if-error'),
    };
  }`;

/**
 * Code of axios, its cache and Navigo that this app does not use. None of it can be tree-shaken.
 * - axios: a fetch adapter (XMLHttpRequest stays) and the choice of one, forms and their encoding
 *   (`src/api/axios-transport.ts` writes its own query), a check for cycles in data that is always plain, progress
 *   events, `data:` URLs, its own cancellation (AbortSignal stays), a table of status names, errors as JSON, removal of
 *   interceptors, writing of cookies.
 * - Its cache: keys and Vary rules (our keys contain everything that responses vary by), the request directives of
 *   `Cache-Control`.
 * - Navigo: writing to the history (`src/app/router/router.ts` does this), hooks for leaving a route.
 */
const REPLACED_MODULES = [
  [/axios[\\/]lib[\\/]adapters[\\/]fetch\.js$/, 'export const getFetch = () => null; export default null;'],
  [
    /axios[\\/]lib[\\/]helpers[\\/](toFormData|AxiosURLSearchParams|toURLEncodedForm)\.js$/,
    `export default ${throwUnsupported('forms')};`,
  ],
  [/axios[\\/]lib[\\/]core[\\/]setFormDataHeaders\.js$/, `export default ${throwUnsupported('forms')};`],
  [/axios[\\/]lib[\\/]helpers[\\/](estimateDataURLDecodedBytes|formDataToJSON|HttpStatusCode|spread)\.js$/, 'export default {};'],
  [/axios[\\/]lib[\\/]helpers[\\/](composeSignals|trackStream)\.js$/, 'export default {}; export const trackStream = null;'],
  [/axios[\\/]lib[\\/]core[\\/]assertParamsAcyclic\.js$/, 'export default () => {};'],
  [/axios[\\/]lib[\\/]helpers[\\/]validator\.js$/, VALIDATOR_STUB],
  [/axios[\\/]lib[\\/]cancel[\\/]CancelToken\.js$/, `export default ${throwUnsupported('CancelToken')};`],
  [
    /axios[\\/]lib[\\/]helpers[\\/]progressEventReducer\.js$/,
    'export const progressEventReducer = () => [], progressEventDecorator = () => [], asyncDecorator = (call) => call;',
  ],
  [/node_modules[\\/]axios[\\/]index\.js$/, "export { default } from './lib/axios.js';"],
  [
    /axios[\\/]lib[\\/]adapters[\\/]adapters\.js$/,
    // The cache responds through its own adapter, which is a function.
    `import xhr from './xhr.js';
    const getAdapter = (adapter) => (typeof adapter === 'function' ? adapter : xhr);
    export default { getAdapter, adapters: { xhr } };`,
  ],
  [/axios[\\/]lib[\\/]helpers[\\/]cookies\.js$/, COOKIES_STUB],
  [/axios[\\/]lib[\\/]core[\\/]AxiosError\.js$/, AXIOS_ERROR_STUB],
  [/axios[\\/]lib[\\/]core[\\/]InterceptorManager\.js$/, INTERCEPTORS_STUB],
  [/node_modules[\\/]cache-parser[\\/]/, CACHE_CONTROL_STUB],
  [/node_modules[\\/]object-code[\\/]/, `export const hash = ${throwUnsupported('default cache keys')};`],
  [
    /navigo[\\/]lib[\\/]es[\\/]middlewares[\\/](checkForLeaveHook|updateBrowserURL)\.js$/,
    'export default (context, done) => done();',
  ],
  [/node_modules[\\/]http-vary[\\/]/, `export const compare = ${throwUnsupported('Vary rules')}; export const parse = compare;`],
];

/**
 * Functions of react-dom that run only for features that no page of ours uses, with their replacement bodies: hints for
 * the document's head (preload, preinit and others), elements that React moves into the head (link, style, script,
 * title, meta), forms with a function as their action, onSelect, onBeforeInput, hydration and the replay of events
 * before it, ViewTransition, Activity, SuspenseList, refs of fragments, useActionState, and component stacks of errors.
 * If a new version of react-dom lacks one of them, the build fails.
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
  popHydrationState: 'return false;',
  canHydrateInstance: 'return null;',
  prepareToHydrateHostInstance: '',
  updateDehydratedSuspenseComponent: 'return null;',
  hideOrUnhideDehydratedBoundary: '',
  clearHydrationBoundary: '',
  retryIfBlockedOn: '',
  queueIfContinuousEvent: 'return false;',
  clearIfContinuousEvent: '',
  attemptExplicitHydrationTarget: '',
  startViewTransition: 'return null;',
  trackEnterViewTransitions: '',
  commitEnterViewTransitions: '',
  commitExitViewTransitions: '',
  commitNestedViewTransitions: '',
  commitAfterMutationEffectsOnFiber: '',
  restoreEnterOrExitViewTransitions: '',
  restoreNestedViewTransitions: '',
  updateActivityComponent: 'return null;',
  updateSuspenseListComponent: 'return null;',
  cutOffTailIfNeeded: '',
  commitNewChildToFragmentInstance: '',
  deleteChildFromFragmentInstance: '',
  mountActionState: '',
  updateActionState: '',
  rerenderActionState: '',
  startHostTransition: '',
  recursivelyResetForms: '',
  describeNativeComponentFrame: "return '';",
};

/** Replaces the bodies of `UNUSED_IN_REACT_DOM`. Throws if the source lacks one of these functions. */
function removeUnusedFunctions(source, path) {
  return Object.entries(UNUSED_IN_REACT_DOM).reduce((text, [name, body]) => {
    // A top-level function ends at the first brace at the start of a line.
    const pattern = new RegExp(`^function ${name.replace('$', '\\$')}\\([^)]*\\) \\{\\n.*?^\\}$`, 'ms');
    if (!pattern.test(text)) throw new Error(`build: ${path} has no ${name}; see build/vendor-patches.mjs`);
    return text.replace(pattern, () => `function ${name}() { ${body} }`);
  }, source);
}

/**
 * Rewrites react-dom from CommonJS to a module. In the wrapper that esbuild adds to a CommonJS file, the browser parses the code
 * twice: while it loads, and again on the main thread when it runs. Throws if the source has another form.
 */
function toModule(source, path) {
  const required =
    /^var Scheduler = require\("scheduler"\),\s+React = require\("react"\),\s+ReactDOM = require\("react-dom"\);$/m;
  const imports = [
    ['Scheduler', 'scheduler'],
    ['React', 'react'],
    ['ReactDOM', 'react-dom'],
  ].map(([name, from]) => `import ${name}Exports from '${from}';\nconst ${name} = ${name}Exports;`);
  const contents = source
    .replace(required, () => imports.join('\n'))
    .replace(/^exports\.(createRoot|hydrateRoot|version) = /gm, 'export const $1 = ');
  if (/\brequire\(|\bexports\b/.test(contents))
    throw new Error(`build: ${path} has other imports or exports; see build/vendor-patches.mjs`);
  return contents;
}

/** esbuild plugin: bundles the libraries without these parts. */
export const vendorPatches = {
  name: 'vendor-patches',
  setup(bundler) {
    for (const [filter, contents] of REPLACED_MODULES) bundler.onLoad({ filter }, () => ({ contents, loader: 'js' }));
    bundler.onLoad({ filter: /react-dom-client\.production\.js$/ }, async ({ path }) => ({
      contents: toModule(removeUnusedFunctions(await readFile(path, 'utf8'), path), path),
      loader: 'js',
    }));
    // The file of the package only chooses between the builds for production and development.
    bundler.onResolve({ filter: /^react-dom\/client$/ }, ({ resolveDir }) => ({
      path: createRequire(join(resolveDir, 'index.js'))
        .resolve('react-dom/client')
        .replace('client.js', 'cjs/react-dom-client.production.js'),
    }));
    bundler.onLoad({ filter: /axios[\\/]lib[\\/].*\.js$/ }, async ({ path }) => ({
      contents: makeTreeShakeable(await readFile(path, 'utf8'), path),
      loader: 'js',
    }));
  },
};

/**
 * Rewrites axios' utilities to named exports. They are properties of one object, and no bundler can tree-shake those.
 */
function makeTreeShakeable(source, path) {
  if (!/lib[\\/]utils\.js$/.test(path)) return source.replace(/^import utils from /m, 'import * as utils from ');
  const namedExports = source.replace(/^export default \{([^{}]*)\};$/m, (_, names) => {
    return `export {${names.replace(/(\w+): (\w+)/g, '$2 as $1')}};`;
  });
  if (namedExports === source)
    throw new Error(`build: ${path} does not export its utilities as one object; see build/vendor-patches.mjs`);
  return namedExports;
}

/**
 * Minifies the bundler's outputs a second time: terser folds across statements, which esbuild does not (3 % of the gzip
 * size). Function expressions become arrow functions and methods. That would break only functions that are called with
 * `new`: a function expression that never uses `this`, or a function that is an object's property. The bundle has
 * neither. No getter of ours or of the libraries has a side effect, so a getter whose value is unused is removed.
 */
export async function minifyOutputs(paths) {
  for (const path of paths) {
    const [source, map] = await Promise.all([readFile(path, 'utf8'), readFile(`${path}.map`, 'utf8')]);
    const { code, map: combinedMap } = await minify(source, {
      ...minifierOptions(source),
      // No link to the source map: every reader would load that line. In the browser's developer tools, add the map
      // manually; it is next to its file.
      sourceMap: { content: map },
    });
    await Promise.all([writeFile(path, code), writeFile(`${path}.map`, combinedMap)]);
  }
}

/** Minifies the text of a module in the same way. */
export const minifyText = async (source) => (await minify(source, minifierOptions(source))).code;

/** Minifies the text of a classic script, which keeps its "use strict". */
export const minifyScript = async (source) => (await minify(source, { ...minifierOptions(source), module: false })).code;

/**
 * Compile hint: Chromium compiles all functions of the file while it loads, off the main thread. Without it, it compiles each when
 * it is first called. Almost all functions of react-dom that remain are called when a page mounts. Other browsers ignore it.
 */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad';

/** Returns whether a bundle contains react-dom. */
const hasReact = (source) => source.includes('react.dev/errors');

const minifierOptions = (source) => ({
  module: true,
  ecma: 2020,
  compress: {
    passes: 2,
    ecma: 2020,
    inline: 1,
    // Functions that are used once become smaller if they are inlined. React is an exception: its repeated patterns
    // compress better.
    reduce_funcs: !hasReact(source),
    // `x === 1` and separate statements compress better than `1 === x` and sequences.
    lhs_constants: false,
    sequences: false,
    pure_getters: true,
    unsafe_arrows: true,
    unsafe_methods: true,
  },
  format: { ecma: 2020, comments: false, ...(hasReact(source) && { preamble: COMPILE_HINT }) },
});
