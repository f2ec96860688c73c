/*
 * Page snapshot: what a reader saw on a page (the layout, the first posts, and the styles that they need). It is stored
 * as JSON, and built again with DOM methods, so that no stored text becomes markup.
 */

/** A text node, or an element with its attributes and children. */
export type NodeSnapshot = string | ElementSnapshot;
export type ElementSnapshot = readonly [name: string, attributes: Readonly<Record<string, string>>, ...children: NodeSnapshot[]];

/** Content of a shadow root. */
export interface RootSnapshot {
  /** Style sheet. */
  readonly styles: string;
  readonly nodes: readonly NodeSnapshot[];
}

export interface PageSnapshot {
  /** Address of the page in the app, with its query. */
  readonly path: string;
  /** State in which the snapshot is valid; see `snapshotConditions`. */
  readonly conditions: string;
  readonly locale: string;
  /** Attributes `theme` and `style` of the document element; null if absent. They contain the container's colours. */
  readonly theme: string | null;
  readonly style: string | null;
  readonly layout: RootSnapshot;
  /** The page as it is at its top; null if it is not known. */
  readonly top: RootSnapshot | null;
  /** The page at the last scroll position, if that is further down than the posts in `top`. */
  readonly scrolled: RootSnapshot | null;
}
