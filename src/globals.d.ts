/** Type of imported CSS files: esbuild's text loader returns a style sheet's source, for `adoptedStyleSheets`. */
declare module '*.css' {
  const text: string;
  export default text;
}
