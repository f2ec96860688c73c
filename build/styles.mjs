import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** Reads a style sheet, minified and lowered (nesting) for the browsers of `target`. */
export async function readStyles(path, target) {
  const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true, target, charset: 'utf8' });
  return code.trim();
}

/** esbuild plugin: `import styles from './x.css'` gives the text that readStyles makes. `texts` collects it by path. */
export const stylesAsText = (target, texts = new Map()) => ({
  name: 'styles-as-text',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const text = await readStyles(path, target);
      texts.set(path, text);
      return { contents: text, loader: 'text', watchFiles: [path] };
    });
  },
});
