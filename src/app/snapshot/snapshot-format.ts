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
  /** The page as a new visit shows it: at its top, or at the post that the address names. Null if that is not known. */
  readonly start: RootSnapshot | null;
  /** The page at the last scroll position, if that is elsewhere. */
  readonly scrolled: RootSnapshot | null;
}
