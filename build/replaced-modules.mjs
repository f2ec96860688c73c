// Replaced modules: modules of the browser's libraries that this app does not use, with what the bundle contains instead.
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

/** The cache responds through its own adapter, which is a function. */
const ADAPTERS_STUB = `
  import xhr from './xhr.js';
  const getAdapter = (adapter) => (typeof adapter === 'function' ? adapter : xhr);
  export default { getAdapter, adapters: { xhr } };`;

/**
 * Code of axios, its cache and Navigo that this app does not use. None of it can be tree-shaken.
 * - axios: the choice of an adapter (XMLHttpRequest stays), forms and their encoding
 *   (`src/api/axios-transport.ts` writes its own query), a check for cycles in data that is always plain, progress
 *   events, its own cancellation (AbortSignal stays), a table of status names, errors as JSON, removal of
 *   interceptors, writing of cookies.
 * - Its cache: keys and Vary rules (our keys contain everything that responses vary by), the request directives of
 *   `Cache-Control`.
 * - Navigo: writing to the history (`src/app/router/router.ts` does this), hooks for leaving a route.
 *
 * `sha256` is the start of the hash of the module that the replacement was made for, in this version of the library. If it
 * differs, a test fails: read the new module, correct the replacement, and enter the new version and hash. `savedBytes` is
 * the gzip size that the replacement saves in a bundle of the HTTP client and the router.
 */
export const REPLACED_MODULES = [
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/toFormData.js',
    sha256: 'b29e984206c3d841',
    savedBytes: 2050,
    contents: `export default ${throwUnsupported('forms')};`,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/AxiosURLSearchParams.js',
    sha256: 'be7dc2ab4809630b',
    savedBytes: 164,
    contents: `export default ${throwUnsupported('forms')};`,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/toURLEncodedForm.js',
    sha256: '119ee561290393ff',
    savedBytes: 80,
    contents: `export default ${throwUnsupported('forms')};`,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/core/setFormDataHeaders.js',
    sha256: 'ce505effa44997ba',
    savedBytes: 53,
    contents: `export default ${throwUnsupported('forms')};`,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/formDataToJSON.js',
    sha256: '5913b85d78673cb1',
    savedBytes: 345,
    contents: 'export default {};',
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/HttpStatusCode.js',
    sha256: 'aa20b4179d5ac760',
    savedBytes: 831,
    contents: 'export default {};',
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/spread.js',
    sha256: '6a30c5a54dfb0430',
    savedBytes: 7,
    contents: 'export default {};',
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/core/assertParamsAcyclic.js',
    sha256: '81b812d91fdc89e0',
    savedBytes: 179,
    contents: 'export default () => {};',
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/validator.js',
    sha256: '4dd0b4d89ded421d',
    savedBytes: 373,
    contents: VALIDATOR_STUB,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/cancel/CancelToken.js',
    sha256: '933b19cc36e0c4a2',
    savedBytes: 301,
    contents: `export default ${throwUnsupported('CancelToken')};`,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/progressEventReducer.js',
    sha256: '80da2d48d2feeeb0',
    savedBytes: 418,
    contents: 'export const progressEventReducer = () => [], progressEventDecorator = () => [], asyncDecorator = (call) => call;',
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'index.js',
    sha256: '42286a158ea8dc62',
    savedBytes: 91,
    contents: "export { default } from './lib/axios.js';",
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/adapters/adapters.js',
    sha256: '2d3df49937264cb7',
    savedBytes: 347,
    contents: ADAPTERS_STUB,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/helpers/cookies.js',
    sha256: 'cd1b2cfbd725d7c1',
    savedBytes: 213,
    contents: COOKIES_STUB,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/core/AxiosError.js',
    sha256: 'a5976f808c560771',
    savedBytes: 753,
    contents: AXIOS_ERROR_STUB,
  },
  {
    library: 'axios',
    version: '1.21.1',
    module: 'lib/core/InterceptorManager.js',
    sha256: '9ca5252ef1c4e979',
    savedBytes: 364,
    contents: INTERCEPTORS_STUB,
  },
  {
    library: 'cache-parser',
    version: '1.2.6',
    module: 'dist/index.mjs',
    sha256: '99bd05881785a5ae',
    savedBytes: 641,
    contents: CACHE_CONTROL_STUB,
  },
  {
    library: 'object-code',
    version: '2.0.0',
    module: 'dist/index.mjs',
    sha256: '317142f74f022bae',
    savedBytes: 458,
    contents: `export const hash = ${throwUnsupported('default cache keys')};`,
  },
  {
    library: 'navigo',
    version: '8.11.1',
    module: 'lib/es/middlewares/checkForLeaveHook.js',
    sha256: '3a8d19f8c30eadc9',
    savedBytes: 180,
    contents: 'export default (context, done) => done();',
  },
  {
    library: 'navigo',
    version: '8.11.1',
    module: 'lib/es/middlewares/updateBrowserURL.js',
    sha256: '1d888a48504ef2fb',
    savedBytes: 157,
    contents: 'export default (context, done) => done();',
  },
  {
    library: 'http-vary',
    version: '1.0.3',
    module: 'dist/index.mjs',
    sha256: 'aa751315f3e59e5f',
    savedBytes: 632,
    contents: `export const compare = ${throwUnsupported('Vary rules')}; export const parse = compare;`,
  },
];
