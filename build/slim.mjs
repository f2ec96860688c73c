import { readFile, writeFile } from 'node:fs/promises';
import { minify } from 'terser';

const absent = (what) => `() => { throw new TypeError('This build has no ${what}'); }`;

/**
 * What axios and its cache bring for callers that this app does not have: a fetch adapter (XMLHttpRequest stays), forms and
 * their encoding (src/api/http.ts writes its own query), progress events, data: addresses, a table of status names; the
 * cache's own keys and Vary rules (ours hold all that answers vary by). Neither tree-shakes; this saves 8 kB gzip.
 */
const WITHOUT = [
  [/axios[\\/]lib[\\/]adapters[\\/]fetch\.js$/, 'export const getFetch = () => null; export default null;'],
  [/axios[\\/]lib[\\/]helpers[\\/](toFormData|AxiosURLSearchParams|toURLEncodedForm)\.js$/, `export default ${absent('forms')};`],
  [/axios[\\/]lib[\\/]helpers[\\/](estimateDataURLDecodedBytes|formDataToJSON|HttpStatusCode|spread)\.js$/, 'export default {};'],
  [/axios[\\/]lib[\\/]helpers[\\/](composeSignals|trackStream)\.js$/, 'export default {}; export const trackStream = null;'],
  [
    /axios[\\/]lib[\\/]helpers[\\/]progressEventReducer\.js$/,
    'export const progressEventReducer = () => [], progressEventDecorator = () => [], asyncDecorator = (call) => call;',
  ],
  [/node_modules[\\/]object-code[\\/]/, `export const hash = ${absent('default cache keys')};`],
  [/node_modules[\\/]http-vary[\\/]/, `export const compare = ${absent('Vary rules')}; export const parse = compare;`],
];

/** An esbuild plugin that bundles axios without those parts. */
export const slimAxios = {
  name: 'slim-axios',
  setup(build) {
    for (const [filter, contents] of WITHOUT) build.onLoad({ filter }, () => ({ contents, loader: 'js' }));
  },
};

/** Minifies the bundler's outputs once more: terser folds across statements, which esbuild does not (2.5 % of the gzip). */
export async function minifyOnce(paths) {
  for (const path of paths) {
    const map = await readFile(`${path}.map`, 'utf8');
    const { code, map: joined } = await minify(await readFile(path, 'utf8'), {
      module: true,
      ecma: 2020,
      compress: { passes: 2, ecma: 2020 },
      format: { ecma: 2020, comments: false },
      sourceMap: { content: map, url: `${path.split('/').at(-1)}.map` },
    });
    await Promise.all([writeFile(path, code), writeFile(`${path}.map`, joined)]);
  }
}
