import { MAX_LINEUP_ENTRIES } from '../../../../contract/limits.ts';
import { parseXml } from '../../../lib/trusted-types.ts';
import { clipName } from './clip-name.ts';

/** OPML parser: one subscription of a list. */
export interface OpmlOutline {
  /** URL as written in the file. */
  readonly address: string;
  readonly title: string;
  /** Folders and categories that contain it. */
  readonly folders: readonly string[];
}

/** Parsed list of subscriptions, each listed once. */
export interface Subscriptions {
  readonly outlines: readonly OpmlOutline[];
  /** All folders, in the order of their first occurrence. */
  readonly folders: readonly string[];
  /** Number of outlines beyond the maximum of a line-up. */
  readonly droppedCount: number;
}

/** Result of parsing a file; `torn` if its XML is not well-formed. */
export type ParsedOpml =
  | ({ readonly type: 'read' } & Subscriptions)
  | { readonly type: 'rejected'; readonly reason: 'too-large' | 'not-opml' | 'malformed' | 'empty' };

/** Maximum size of a file, bytes. */
export const MAX_OPML_FILE_BYTES = 5 * 1024 * 1024;
/** Maximum number of folders of one outline: a reader has no more presets. */
const MAX_FOLDERS = 100;
/** Maximum folder depth: a folder's name includes those of its parents, and more levels add no information. */
const MAX_FOLDER_DEPTH = 8;
const MAX_TITLE_LENGTH = 200;
/** Length of the start of a file that contains the XML declaration. */
const MAX_DECLARATION_BYTES = 200;

const rejectOpml = (reason: Exclude<ParsedOpml, { type: 'read' }>['reason']): ParsedOpml => ({ type: 'rejected', reason });

/** Decodes a file in the encoding that it declares (byte order mark or XML declaration), otherwise as UTF-8. */
export function decodeOpml(bytes: ArrayBuffer): string {
  const head = new TextDecoder('latin1').decode(bytes.slice(0, MAX_DECLARATION_BYTES));
  const bigEndianEncoding = head.startsWith('\xfe\xff') ? 'utf-16be' : null;
  const byteOrderEncoding = head.startsWith('\xff\xfe') ? 'utf-16le' : bigEndianEncoding;
  const [, declared = 'utf-8'] = /^(?:\xef\xbb\xbf)?\s*<\?xml[^>]*\bencoding=["']([\w.:-]+)["']/.exec(head) ?? [];
  try {
    return new TextDecoder(byteOrderEncoding ?? declared).decode(bytes);
  } catch {
    // The declared encoding is unknown.
    return new TextDecoder().decode(bytes);
  }
}

/**
 * Parses a list of subscriptions. Two outlines with the same URL become one outline in both folders. The parser never
 * receives the text before the list, in particular a document type, and no entity reference except XML's own five and
 * numeric ones. So nothing can be expanded or fetched, and a bare `&` in a URL, as many readers write it, stays an
 * ampersand.
 */
export function parseOpml(text: string): ParsedOpml {
  if (text.length > MAX_OPML_FILE_BYTES) return rejectOpml('too-large');
  if (text.trim() === '') return rejectOpml('empty');
  const start = text.search(/<opml[\s>]/i);
  if (start < 0) return rejectOpml('not-opml');
  const escapedText = text.slice(start).replace(/&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/gi, '&amp;');
  const opml = parseXml(escapedText);
  if (opml.getElementsByTagName('parsererror').length > 0) return rejectOpml('malformed');
  const allOutlines = collectOutlines(opml);
  if (allOutlines.length === 0) return rejectOpml('empty');
  const outlines = allOutlines.slice(0, MAX_LINEUP_ENTRIES);
  const folders = [...new Set(outlines.flatMap((outline) => outline.folders))];
  return { type: 'read', outlines, folders, droppedCount: allOutlines.length - outlines.length };
}

/** Placeholder for every outline beyond the maximum. */
const OVER_LIMIT = { address: '', title: '', folders: new Set<string>() };

function collectOutlines(opml: XMLDocument): OpmlOutline[] {
  const outlinesByKey = new Map<string, { address: string; title: string; folders: Set<string> }>();
  /** Normalized URL by address, so that each address is parsed once. */
  const keyByAddress = new Map<string, string>();
  for (const element of opml.querySelectorAll('outline')) {
    const address = addressOf(element);
    if (address === null) continue;
    const key = keyByAddress.get(address) ?? (URL.canParse(address) ? new URL(address).href : address);
    keyByAddress.set(address, key);
    const known = outlinesByKey.get(key);
    // Outlines beyond the maximum are only counted, so that a file of 100,000 does not block the page for seconds.
    if (known === undefined && outlinesByKey.size >= MAX_LINEUP_ENTRIES) {
      outlinesByKey.set(key, OVER_LIMIT);
      continue;
    }
    const outline = known ?? { address, title: titleOf(element) || address, folders: new Set() };
    outlinesByKey.set(key, outline);
    if (outline === OVER_LIMIT || outline.folders.size >= MAX_FOLDERS) continue;
    for (const folder of foldersOf(element)) if (outline.folders.size < MAX_FOLDERS) outline.folders.add(folder);
  }
  return [...outlinesByKey.values()].map((outline) => ({ ...outline, folders: [...outline.folders] }));
}

/** Returns the URL of a feed, otherwise that of a link; null for a folder, which has neither. */
function addressOf(element: Element): string | null {
  const feed = readAttribute(element, 'xmlurl');
  if (feed !== '') return feed;
  if (element.querySelector('outline') !== null || /^include$/i.test(readAttribute(element, 'type'))) return null;
  return readAttribute(element, 'url') || readAttribute(element, 'htmlurl') || null;
}

const titleOf = (element: Element): string => clipTitle(readAttribute(element, 'title') || readAttribute(element, 'text'));
const clipTitle = (title: string): string => title.replace(/\s+/g, ' ').slice(0, MAX_TITLE_LENGTH);

/** Returns the names of an outline's folder, with those of its parents, and of its categories. */
function foldersOf(element: Element): string[] {
  const path: string[] = [];
  for (let parent = element.parentElement; parent !== null && path.length < MAX_FOLDER_DEPTH; parent = parent.parentElement)
    if (parent.localName.toLowerCase() === 'outline')
      path.unshift(readAttribute(parent, 'text') || readAttribute(parent, 'title'));
  const categories = readAttribute(element, 'category').split(',', MAX_FOLDERS).map(parseCategory);
  return [path.filter((part) => part !== '').join(' / '), ...categories].map(clipName).filter((name) => name !== '');
}

/** Parses a category: `/News/World` is a folder in a folder. See `categoryOf` (opml-write.ts). */
const parseCategory = (category: string): string =>
  category
    .split('/')
    .map((part) => part.trim().replace(/%2[5CF]/gi, decodeURIComponent))
    .filter((part) => part !== '')
    .join(' / ');

/** Reads an attribute case-insensitively: files contain xmlUrl, xmlurl and XMLURL. */
function readAttribute(element: Element, name: string): string {
  for (const attribute of element.attributes) if (attribute.name.toLowerCase() === name) return attribute.value.trim();
  return '';
}
