/** esbuild's text loader: a style sheet's source, for adoptedStyleSheets. */
declare module '*.css' {
  const text: string;
  export default text;
}
