// Vendor patches: esbuild plugin that removes unused code of the libraries, and the second minification.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { minify } from 'terser';
import { REPLACED_MODULES } from './replaced-modules.mjs';

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

/** Returns a pattern for the path of a module of a package, with the separators of any system. */
const filterOf = (path) => new RegExp(`node_modules/${path}$`.replaceAll('.', '\\.').replaceAll('/', '[\\\\/]'));

/** esbuild plugin: bundles the libraries without these parts. */
export const vendorPatches = {
  name: 'vendor-patches',
  setup(bundler) {
    for (const { library, module, contents } of REPLACED_MODULES)
      bundler.onLoad({ filter: filterOf(`${library}/${module}`) }, () => ({ contents, loader: 'js' }));
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
