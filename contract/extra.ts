// Rare contents of a post, apart from text, files, a poll, a venue and a contact: types and their parser. Because they are
// rare, a post carries them unparsed, and the browser parses them with the parser below when it shows them.

import { entity, place } from './parse.ts';
import type { Entity, Place } from './post.ts';
import { boolean, list, number, optional, type Parse, shape, string, word } from './shape.ts';

/** Rich text: text with its entities, in the format of a post's own text. */
export interface Words {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** A task of a checklist. `done` is whether it was completed, `at` the time of completion (unix seconds). */
export interface Task extends Words {
  readonly done: boolean;
  readonly at?: number;
}

/**
 * An item of a list. `label` is its bullet or number as the source wrote it. `checked` is present if the item has a checkbox.
 */
export interface ListItem {
  readonly label: string;
  readonly checked?: boolean;
  readonly blocks: readonly Block[];
}

export interface Cell extends Words {
  readonly header?: boolean;
  readonly colspan?: number;
  readonly rowspan?: number;
  readonly align?: 'left' | 'center' | 'right';
}

/**
 * A block of a rich message. `media` are indices into the post's own `media`. A block of a type that this code does not know is
 * `unknown`, with the source's name of that type.
 */
export type Block =
  | ({ readonly type: 'paragraph' } & Words)
  | ({ readonly type: 'footer' } & Words)
  | ({ readonly type: 'thinking' } & Words)
  | ({ readonly type: 'heading'; readonly size: number } & Words)
  | ({ readonly type: 'pre'; readonly language?: string } & Words)
  | ({ readonly type: 'pullquote'; readonly credit?: Words } & Words)
  | { readonly type: 'quote'; readonly blocks: readonly Block[]; readonly credit?: Words; readonly folded?: boolean }
  | { readonly type: 'divider' }
  | { readonly type: 'math'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly Cell[])[]; readonly caption?: Words }
  | { readonly type: 'details'; readonly summary: Words; readonly blocks: readonly Block[]; readonly open?: boolean }
  | {
      readonly type: 'media';
      readonly layout: 'single' | 'collage' | 'slideshow';
      readonly media: readonly number[];
      readonly caption?: Words;
      readonly credit?: Words;
    }
  | { readonly type: 'map'; readonly place: Place; readonly caption?: Words }
  /** A button without `url` works only inside Telegram. */
  | { readonly type: 'buttons'; readonly buttons: readonly { readonly text: string; readonly url?: string }[] }
  | { readonly type: 'unknown'; readonly name: string };

/** Extra content of a post, by type. Dates are unix seconds. */
export type Extra =
  /** The post's `text` contains the same text, for search and for clients that cannot render blocks. */
  | { readonly type: 'rich'; readonly blocks: readonly Block[]; readonly rtl?: boolean }
  | { readonly type: 'checklist'; readonly title: Words; readonly tasks: readonly Task[] }
  | { readonly type: 'dice'; readonly emoji: string; readonly value: number }
  /** Prize: `months` of Telegram Premium, or `stars`. */
  | {
      readonly type: 'giveaway';
      readonly winners: number;
      readonly until: number;
      readonly months?: number;
      readonly stars?: number;
      readonly prize?: string;
      readonly channels: readonly string[];
    }
  | {
      readonly type: 'giveaway-over';
      readonly winners: number;
      readonly unclaimed?: number;
      readonly months?: number;
      readonly stars?: number;
      readonly prize?: string;
      readonly names: readonly string[];
      readonly postId?: number;
    }
  | { readonly type: 'story'; readonly name: string; readonly url?: string }
  /** Files that are for sale: only their description, never the files. */
  | {
      readonly type: 'paid';
      readonly stars: number;
      readonly items: readonly {
        readonly type: 'photo' | 'video' | 'other';
        readonly width?: number;
        readonly height?: number;
        readonly duration?: number;
      }[];
    }
  /** `amount` in the currency's smallest unit; currency `XTR` is Telegram's stars. */
  | {
      readonly type: 'invoice';
      readonly title: string;
      readonly about: string;
      readonly amount: number;
      readonly currency: string;
    }
  | { readonly type: 'game'; readonly title: string; readonly about: string }
  /** Content of a type that this program does not know; `name` is the source's name of that type. */
  | { readonly type: 'unknown'; readonly name: string };

const count = optional(number);
const text = optional(string);
const flag = optional(boolean);

const words = shape<Words>({ text: string, entities: list(entity) });
const task = shape<Task>({ text: string, entities: list(entity), done: boolean, at: count });
const item = shape<ListItem>({ label: string, checked: flag, blocks: (raw, at) => blocks(raw, at) });
const cell = shape<Cell>({
  text: string,
  entities: list(entity),
  header: flag,
  colspan: count,
  rowspan: count,
  align: optional(word({ left: 1, center: 1, right: 1 }, 'left')),
});

/** A parser for each type of a union. A type without a parser is parsed as `unknown`, with its name. */
type Readers<Union extends { readonly type: string }> = {
  readonly [Type in Union['type']]: Parse<Extract<Union, { readonly type: Type }>>;
};

const typed =
  <Union extends { readonly type: string }>(readers: Readers<Union>, otherwise: (name: string) => Union): Parse<Union> =>
  (raw, at) => {
    const { type } = shape<{ type: string }>({ type: string })(raw, at);
    const isKnown = (name: string): name is Union['type'] => Object.hasOwn(readers, name);
    return isKnown(type) ? readers[type](raw, at) : otherwise(type);
  };

/** Parses the `type` of a union's member, which `typed` has checked already. */
const is = <Type extends string>(type: Type): Parse<Type> => word<Type>({ [type]: 1 } as Record<Type, 1>);

const unknown = shape<{ type: 'unknown'; name: string }>({ type: is('unknown'), name: string });
const nameless = (name: string) => ({ type: 'unknown' as const, name });
const wordy = <Type extends string>(type: Type) => shape({ type: is(type), text: string, entities: list(entity) });

const block = typed<Block>(
  {
    paragraph: wordy('paragraph'),
    footer: wordy('footer'),
    thinking: wordy('thinking'),
    heading: shape<Extract<Block, { type: 'heading' }>>({
      type: is('heading'),
      size: number,
      text: string,
      entities: list(entity),
    }),
    pre: shape<Extract<Block, { type: 'pre' }>>({ type: is('pre'), language: text, text: string, entities: list(entity) }),
    pullquote: shape<Extract<Block, { type: 'pullquote' }>>({
      type: is('pullquote'),
      text: string,
      entities: list(entity),
      credit: optional(words),
    }),
    quote: shape<Extract<Block, { type: 'quote' }>>({
      type: is('quote'),
      blocks: (raw, at) => blocks(raw, at),
      credit: optional(words),
      folded: flag,
    }),
    divider: shape<Extract<Block, { type: 'divider' }>>({ type: is('divider') }),
    math: shape<Extract<Block, { type: 'math' }>>({ type: is('math'), text: string }),
    list: shape<Extract<Block, { type: 'list' }>>({ type: is('list'), items: list(item) }),
    table: shape<Extract<Block, { type: 'table' }>>({ type: is('table'), rows: list(list(cell)), caption: optional(words) }),
    details: shape<Extract<Block, { type: 'details' }>>({
      type: is('details'),
      summary: words,
      blocks: (raw, at) => blocks(raw, at),
      open: flag,
    }),
    media: shape<Extract<Block, { type: 'media' }>>({
      type: is('media'),
      layout: word({ single: 1, collage: 1, slideshow: 1 }, 'single'),
      media: list(number),
      caption: optional(words),
      credit: optional(words),
    }),
    map: shape<Extract<Block, { type: 'map' }>>({ type: is('map'), place, caption: optional(words) }),
    buttons: shape<Extract<Block, { type: 'buttons' }>>({
      type: is('buttons'),
      buttons: list(shape<{ text: string; url?: string }>({ text: string, url: text })),
    }),
    unknown,
  },
  nameless,
);

const blocks: Parse<Block[]> = list(block);

/**
 * Parses a post's `extra`. A type that only a newer server knows becomes `unknown`. Throws a `ParseError` if the value is
 * malformed.
 */
export const parseExtra = typed<Extra>(
  {
    rich: shape<Extract<Extra, { type: 'rich' }>>({ type: is('rich'), blocks, rtl: flag }),
    checklist: shape<Extract<Extra, { type: 'checklist' }>>({ type: is('checklist'), title: words, tasks: list(task) }),
    dice: shape<Extract<Extra, { type: 'dice' }>>({ type: is('dice'), emoji: string, value: number }),
    giveaway: shape<Extract<Extra, { type: 'giveaway' }>>({
      type: is('giveaway'),
      winners: number,
      until: number,
      months: count,
      stars: count,
      prize: text,
      channels: list(string),
    }),
    'giveaway-over': shape<Extract<Extra, { type: 'giveaway-over' }>>({
      type: is('giveaway-over'),
      winners: number,
      unclaimed: count,
      months: count,
      stars: count,
      prize: text,
      names: list(string),
      postId: count,
    }),
    story: shape<Extract<Extra, { type: 'story' }>>({ type: is('story'), name: string, url: text }),
    paid: shape<Extract<Extra, { type: 'paid' }>>({
      type: is('paid'),
      stars: number,
      items: list(
        shape<Extract<Extra, { type: 'paid' }>['items'][number]>({
          type: word({ photo: 1, video: 1, other: 1 }, 'other'),
          width: count,
          height: count,
          duration: count,
        }),
      ),
    }),
    invoice: shape<Extract<Extra, { type: 'invoice' }>>({
      type: is('invoice'),
      title: string,
      about: string,
      amount: number,
      currency: string,
    }),
    game: shape<Extract<Extra, { type: 'game' }>>({ type: is('game'), title: string, about: string }),
    unknown,
  },
  nameless,
);
