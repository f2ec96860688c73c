// The parser alone, without css-tree's data about properties.
declare module 'css-tree/parser' {
  // biome-ignore lint/style/noDefaultExport: the package has a default export
  export { parse as default } from 'css-tree';
}
