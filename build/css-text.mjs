import { resolve } from 'node:path';
import { build } from 'esbuild';

/**
 * Style sheets as text: reads a style sheet with its imports, minified and lowered (nesting) for the browsers of
 * `target`. Also returns the files that it read.
 */
export async function readStyles(path, target) {
  const { outputFiles, metafile } = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    target,
    charset: 'utf8',
    logLevel: 'silent',
  });
  return { text: outputFiles[0].text.trim(), files: Object.keys(metafile.inputs) };
}

/**
 * esbuild plugin: `import styles from './x.css'` returns the text of `readStyles`. `texts` collects the texts by path.
 */
export const stylesAsText = (target, texts = new Map()) => ({
  name: 'styles-as-text',
  setup(bundler) {
    bundler.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { text, files } = await readStyles(path, target);
      texts.set(path, text);
      return { contents: text, loader: 'text', watchFiles: files.map((file) => resolve(file)) };
    });
  },
});
