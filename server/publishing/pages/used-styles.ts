/*
 * Used styles: reduces the style sheets of server-rendered shadow roots to the rules that can apply to their markup. The
 * markup does not change until the app replaces it, except for the names in CHANGING_NAMES.
 */
/// <reference path="./css-tree-parser.d.ts" />
import type { Atrule, CssNode, Rule, Selector, StyleSheet } from 'css-tree';
import parse from 'css-tree/parser';
import { Parser } from 'htmlparser2';
import type { RenderedRoot } from './renderer-api.ts';

/**
 * Names in markup: `tag`, `.class`, `#id`, `[attribute` and `[attribute=value`. A selector can match if the markup has
 * each of its names, wherever they are.
 */
type MarkupNames = ReadonlySet<string>;

/** Markup of a root. If its host is not known, each selector of the host can match. */
interface Markup {
  readonly names: MarkupNames;
  readonly isHostKnown: boolean;
}

/** Names that the reader adds (an open `details`), or src/app/inline/day-headings.ts. */
const CHANGING_NAMES = ['[open', '.placed', 'h2', '.day', '.day-start'];
/** The host of a rendered root of a page has no attribute that a style sheet names. */
const HOST: Markup = { names: new Set(), isHostKnown: true };

/** Options of `selectUsedStyles`. */
interface UsedStylesOptions {
  /** True for the root of a tag: the host is on another site, and can have any attribute. Its direction can change. */
  readonly isTag?: boolean;
}

/** Names that the loader of a tag adds: the direction of the tag. */
const CHANGING_NAMES_IN_TAGS = ['[dir', '[dir=ltr', '[dir=rtl'];

/** Style sheets that were parsed before, by their text. They are those of the build, thus few. */
const parsedSheets = new Map<string, readonly StyleItem[]>();

/** Part of a parsed style sheet. */
type StyleItem =
  | { readonly type: 'rule'; readonly selectors: readonly ParsedSelector[]; readonly declarations: readonly Declaration[] }
  | { readonly type: 'group'; readonly prelude: string; readonly items: readonly StyleItem[] }
  | { readonly type: 'keyframes'; readonly name: string; readonly text: string }
  | { readonly type: 'other'; readonly text: string };

interface ParsedSelector {
  readonly text: string;
  readonly node: CssNode;
}

interface Declaration {
  readonly property: string;
  readonly text: string;
}

/**
 * Reduces the style sheets of roots that inherit from each other to the rules, keyframes and custom properties that they
 * use. Each text that is kept is unchanged.
 */
export function selectUsedStyles(roots: readonly RenderedRoot[], { isTag = false }: UsedStylesOptions = {}): RenderedRoot[] {
  const changingNames = isTag ? [...CHANGING_NAMES, ...CHANGING_NAMES_IN_TAGS] : CHANGING_NAMES;
  const used = roots.map(({ styles, html }) =>
    keepMatching(parseStyles(styles), { names: namesIn(html, changingNames), isHostKnown: !isTag }),
  );
  const declarations = used.flatMap((items) => [...declarationsIn(items)]);
  const properties = usedProperties(declarations, used.flat());
  const animations = declarations.filter(({ property }) => /^(-webkit-)?animation(-name)?$/.test(property));
  const isAnimated = (name: string) => animations.some(({ text }) => text.split(/[\s:,]+/).includes(name));
  const print = (items: readonly StyleItem[]): string => items.map(printItem).join('');
  const printItem = (item: StyleItem): string => {
    switch (item.type) {
      case 'rule': {
        const kept = item.declarations.filter(({ property }) => !isCustom(property) || properties.has(property));
        const body = kept.map(({ text }) => text).join(';');
        return body === '' ? '' : `${item.selectors.map(({ text }) => text).join()}{${body}}`;
      }
      case 'group': {
        const body = print(item.items);
        return body === '' ? '' : `${item.prelude}{${body}}`;
      }
      case 'keyframes':
        return isAnimated(item.name) ? item.text : '';
      case 'other':
        return item.text;
    }
  };
  return roots.map(({ html }, index) => ({ html, styles: print(used[index] ?? []) }));
}

const isCustom = (property: string): boolean => property.startsWith('--');

function namesIn(html: string, changingNames: readonly string[]): MarkupNames {
  const names = new Set(changingNames);
  const parser = new Parser({
    onopentag(tag, attributes) {
      names.add(tag);
      for (const [name, value] of Object.entries(attributes)) {
        names.add(`[${name}`).add(`[${name}=${value}`);
        if (name === 'class') for (const token of value.split(/\s+/)) names.add(`.${token}`);
        if (name === 'id') names.add(`#${value}`);
      }
    },
  });
  parser.end(html);
  return names;
}

/** Removes the selectors that cannot match, and rules without a selector. */
function keepMatching(items: readonly StyleItem[], markup: Markup): StyleItem[] {
  return items.flatMap((item): StyleItem[] => {
    if (item.type === 'group') return [{ ...item, items: keepMatching(item.items, markup) }];
    if (item.type !== 'rule') return [item];
    const selectors = item.selectors.filter(({ node }) => canMatch(node, markup));
    return selectors.length === 0 ? [] : [{ ...item, selectors }];
  });
}

/** Returns false if a selector needs a name that the markup does not have. States such as `:hover` always may apply. */
function canMatch(node: CssNode, markup: Markup): boolean {
  const { names } = markup;
  switch (node.type) {
    case 'Selector':
      return node.children.toArray().every((part) => canMatch(part, markup));
    case 'SelectorList':
      return node.children.toArray().some((selector) => canMatch(selector, markup));
    case 'TypeSelector':
      return node.name === '*' || names.has(node.name);
    case 'ClassSelector':
      return names.has(`.${node.name}`);
    case 'IdSelector':
      return names.has(`#${node.name}`);
    case 'AttributeSelector': {
      const name = `[${node.name.name}`;
      if (node.matcher !== '=' || node.value === null) return names.has(name);
      return names.has(`${name}=${node.value.type === 'String' ? node.value.value : node.value.name}`);
    }
    case 'PseudoClassSelector':
      return canPseudoClassMatch(node.name, node.children?.toArray() ?? [], markup);
    default:
      return true;
  }
}

function canPseudoClassMatch(name: string, args: readonly CssNode[], markup: Markup): boolean {
  switch (name) {
    case 'is':
    case 'where':
    case 'has':
      return args.every((arg) => canMatch(arg, markup));
    case 'host':
      return !markup.isHostKnown || args.every((arg) => canMatch(arg, HOST));
    default:
      return true;
  }
}

function* declarationsIn(items: readonly StyleItem[]): Generator<Declaration> {
  for (const item of items) {
    if (item.type === 'rule') yield* item.declarations;
    if (item.type === 'group') yield* declarationsIn(item.items);
  }
}

/** Returns the custom properties on which a declaration of another property depends. */
function usedProperties(declarations: readonly Declaration[], items: readonly StyleItem[]): ReadonlySet<string> {
  const used = new Set<string>();
  const addFrom = (text: string) => {
    for (const [, name = ''] of text.matchAll(/var\(\s*(--[\w-]+)/g)) used.add(name);
  };
  for (const item of items) if (item.type === 'keyframes') addFrom(item.text);
  let previousSize = -1;
  while (used.size > previousSize) {
    previousSize = used.size;
    for (const { property, text } of declarations) if (!isCustom(property) || used.has(property)) addFrom(text);
  }
  return used;
}

function parseStyles(styles: string): readonly StyleItem[] {
  const cached = parsedSheets.get(styles);
  if (cached !== undefined) return cached;
  const sheet = parse(styles, {
    positions: true,
    parseValue: false,
    parseAtrulePrelude: false,
    parseCustomProperty: false,
    onParseError(error) {
      throw error;
    },
  }) as StyleSheet;
  const items = itemsOf(sheet.children, styles);
  parsedSheets.set(styles, items);
  return items;
}

function itemsOf(nodes: Iterable<CssNode>, styles: string): StyleItem[] {
  return [...nodes].flatMap((node): StyleItem[] => {
    if (node.type === 'Rule') return [ruleOf(node, styles)];
    if (node.type === 'Atrule') return [atRuleOf(node, styles)];
    return [];
  });
}

function ruleOf(rule: Rule, styles: string): StyleItem {
  const { prelude } = rule;
  if (prelude.type !== 'SelectorList') throw new Error(`A selector was not parsed: ${textOf(prelude, styles)}`);
  return {
    type: 'rule',
    selectors: prelude.children.toArray().map((node) => ({ text: textOf(node, styles), node: node as Selector })),
    declarations: rule.block.children
      .toArray()
      .flatMap((node) => (node.type === 'Declaration' ? [{ property: node.property, text: textOf(node, styles) }] : [])),
  };
}

function atRuleOf(rule: Atrule, styles: string): StyleItem {
  const { name, prelude, block } = rule;
  if (name.endsWith('keyframes') && prelude !== null)
    return { type: 'keyframes', name: textOf(prelude, styles), text: textOf(rule, styles) };
  if (block === null || !['media', 'supports', 'container'].includes(name)) return { type: 'other', text: textOf(rule, styles) };
  const start = rule.loc?.start.offset ?? 0;
  return {
    type: 'group',
    prelude: styles.slice(start, block.loc?.start.offset),
    items: itemsOf(block.children, styles),
  };
}

/** Returns the source text of a node. */
const textOf = ({ loc }: CssNode, styles: string): string => styles.slice(loc?.start.offset, loc?.end.offset);
