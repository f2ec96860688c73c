// Extra content of a post: everything except text, files, a poll, a venue and a contact. Types and their parser.
// Because such content is rare, a post contains it unparsed, and the browser parses it with the parser below when it
// shows it.

import { entity, venue } from './parse.ts';
import type { Entity, Venue } from './post.ts';
import { boolean, list, number, oneOf, optional, type Parse, shape, string } from './shape.ts';

/** Rich text: text with its entities, in the format of a post's own text. */
export interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

/** A task of a checklist. `done` is true if it was completed, `at` is the time of completion (unix seconds). */
export interface Task extends FormattedText {
  readonly done: boolean;
  readonly at?: number;
}

/**
 * An item of a list. `label` is its bullet or number as the source wrote it. `checked` is present if the item has a
 * checkbox.
 */
export interface ListItem {
  readonly label: string;
  readonly checked?: boolean;
  readonly blocks: readonly ContentBlock[];
}

export interface RichTableCell extends FormattedText {
  readonly header?: boolean;
  readonly colspan?: number;
  readonly rowspan?: number;
  readonly align?: 'left' | 'center' | 'right';
}

/**
 * A block of a rich message. `media` are indices into the post's own `media`. A block of a type that this code does not
 * know is `unknown`, with the source's name of that type.
 */
export type ContentBlock =
  | ({ readonly type: 'paragraph' } & FormattedText)
  | ({ readonly type: 'footer' } & FormattedText)
  | ({ readonly type: 'thinking' } & FormattedText)
  | ({ readonly type: 'heading'; readonly size: number } & FormattedText)
  | ({ readonly type: 'pre'; readonly language?: string } & FormattedText)
  | ({ readonly type: 'pullquote'; readonly credit?: FormattedText } & FormattedText)
  | {
      readonly type: 'quote';
      readonly blocks: readonly ContentBlock[];
      readonly credit?: FormattedText;
      readonly folded?: boolean;
    }
  | { readonly type: 'divider' }
  | { readonly type: 'math'; readonly text: string }
  | { readonly type: 'list'; readonly items: readonly ListItem[] }
  | { readonly type: 'table'; readonly rows: readonly (readonly RichTableCell[])[]; readonly caption?: FormattedText }
  | {
      readonly type: 'details';
      readonly summary: FormattedText;
      readonly blocks: readonly ContentBlock[];
      readonly open?: boolean;
    }
  | {
      readonly type: 'media';
      readonly layout: 'single' | 'collage' | 'slideshow';
      readonly media: readonly number[];
      readonly caption?: FormattedText;
      readonly credit?: FormattedText;
    }
  | { readonly type: 'map'; readonly place: Venue; readonly caption?: FormattedText }
  /** A button without `url` works only inside Telegram. */
  | { readonly type: 'buttons'; readonly buttons: readonly { readonly text: string; readonly url?: string }[] }
  | { readonly type: 'unknown'; readonly name: string };

/** Extra content of a post, by type. Dates are unix seconds. */
export type PostExtra =
  /** The post's `text` contains the same text, for search and for clients that cannot render blocks. */
  | { readonly type: 'rich'; readonly blocks: readonly ContentBlock[]; readonly rtl?: boolean }
  | { readonly type: 'checklist'; readonly title: FormattedText; readonly tasks: readonly Task[] }
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

const optionalNumber = optional(number);
const optionalString = optional(string);
const optionalBoolean = optional(boolean);

const formattedText = shape<FormattedText>({ text: string, entities: list(entity) });
const task = shape<Task>({ text: string, entities: list(entity), done: boolean, at: optionalNumber });
const item = shape<ListItem>({ label: string, checked: optionalBoolean, blocks: (raw, path) => blocks(raw, path) });
const cell = shape<RichTableCell>({
  text: string,
  entities: list(entity),
  header: optionalBoolean,
  colspan: optionalNumber,
  rowspan: optionalNumber,
  align: optional(oneOf({ left: 1, center: 1, right: 1 }, 'left')),
});

/** A parser for each type of a union. A type without a parser is parsed as `unknown`, with its name. */
type ParsersByType<Union extends { readonly type: string }> = {
  readonly [Type in Union['type']]: Parse<Extract<Union, { readonly type: Type }>>;
};

const parseByType =
  <Union extends { readonly type: string }>(parsers: ParsersByType<Union>, toFallback: (name: string) => Union): Parse<Union> =>
  (raw, path) => {
    const { type } = shape<{ type: string }>({ type: string })(raw, path);
    const isKnown = (name: string): name is Union['type'] => Object.hasOwn(parsers, name);
    return isKnown(type) ? parsers[type](raw, path) : toFallback(type);
  };

/** Parses the `type` of a union's member, which `parseByType` has checked already. */
const literal = <Type extends string>(type: Type): Parse<Type> => oneOf<Type>({ [type]: 1 } as Record<Type, 1>);

const unknown = shape<{ type: 'unknown'; name: string }>({ type: literal('unknown'), name: string });
const toUnknown = (name: string) => ({ type: 'unknown' as const, name });
const textBlock = <Type extends string>(type: Type) => shape({ type: literal(type), text: string, entities: list(entity) });

const block = parseByType<ContentBlock>(
  {
    paragraph: textBlock('paragraph'),
    footer: textBlock('footer'),
    thinking: textBlock('thinking'),
    heading: shape<Extract<ContentBlock, { type: 'heading' }>>({
      type: literal('heading'),
      size: number,
      text: string,
      entities: list(entity),
    }),
    pre: shape<Extract<ContentBlock, { type: 'pre' }>>({
      type: literal('pre'),
      language: optionalString,
      text: string,
      entities: list(entity),
    }),
    pullquote: shape<Extract<ContentBlock, { type: 'pullquote' }>>({
      type: literal('pullquote'),
      text: string,
      entities: list(entity),
      credit: optional(formattedText),
    }),
    quote: shape<Extract<ContentBlock, { type: 'quote' }>>({
      type: literal('quote'),
      blocks: (raw, path) => blocks(raw, path),
      credit: optional(formattedText),
      folded: optionalBoolean,
    }),
    divider: shape<Extract<ContentBlock, { type: 'divider' }>>({ type: literal('divider') }),
    math: shape<Extract<ContentBlock, { type: 'math' }>>({ type: literal('math'), text: string }),
    list: shape<Extract<ContentBlock, { type: 'list' }>>({ type: literal('list'), items: list(item) }),
    table: shape<Extract<ContentBlock, { type: 'table' }>>({
      type: literal('table'),
      rows: list(list(cell)),
      caption: optional(formattedText),
    }),
    details: shape<Extract<ContentBlock, { type: 'details' }>>({
      type: literal('details'),
      summary: formattedText,
      blocks: (raw, path) => blocks(raw, path),
      open: optionalBoolean,
    }),
    media: shape<Extract<ContentBlock, { type: 'media' }>>({
      type: literal('media'),
      layout: oneOf({ single: 1, collage: 1, slideshow: 1 }, 'single'),
      media: list(number),
      caption: optional(formattedText),
      credit: optional(formattedText),
    }),
    map: shape<Extract<ContentBlock, { type: 'map' }>>({ type: literal('map'), place: venue, caption: optional(formattedText) }),
    buttons: shape<Extract<ContentBlock, { type: 'buttons' }>>({
      type: literal('buttons'),
      buttons: list(shape<{ text: string; url?: string }>({ text: string, url: optionalString })),
    }),
    unknown,
  },
  toUnknown,
);

const blocks: Parse<ContentBlock[]> = list(block);

/**
 * Parses a post's `extra`. A type that only a newer server knows becomes `unknown`. Throws a `ParseError` if the value
 * is malformed.
 */
export const parseExtra = parseByType<PostExtra>(
  {
    rich: shape<Extract<PostExtra, { type: 'rich' }>>({ type: literal('rich'), blocks, rtl: optionalBoolean }),
    checklist: shape<Extract<PostExtra, { type: 'checklist' }>>({
      type: literal('checklist'),
      title: formattedText,
      tasks: list(task),
    }),
    dice: shape<Extract<PostExtra, { type: 'dice' }>>({ type: literal('dice'), emoji: string, value: number }),
    giveaway: shape<Extract<PostExtra, { type: 'giveaway' }>>({
      type: literal('giveaway'),
      winners: number,
      until: number,
      months: optionalNumber,
      stars: optionalNumber,
      prize: optionalString,
      channels: list(string),
    }),
    'giveaway-over': shape<Extract<PostExtra, { type: 'giveaway-over' }>>({
      type: literal('giveaway-over'),
      winners: number,
      unclaimed: optionalNumber,
      months: optionalNumber,
      stars: optionalNumber,
      prize: optionalString,
      names: list(string),
      postId: optionalNumber,
    }),
    story: shape<Extract<PostExtra, { type: 'story' }>>({ type: literal('story'), name: string, url: optionalString }),
    paid: shape<Extract<PostExtra, { type: 'paid' }>>({
      type: literal('paid'),
      stars: number,
      items: list(
        shape<Extract<PostExtra, { type: 'paid' }>['items'][number]>({
          type: oneOf({ photo: 1, video: 1, other: 1 }, 'other'),
          width: optionalNumber,
          height: optionalNumber,
          duration: optionalNumber,
        }),
      ),
    }),
    invoice: shape<Extract<PostExtra, { type: 'invoice' }>>({
      type: literal('invoice'),
      title: string,
      about: string,
      amount: number,
      currency: string,
    }),
    game: shape<Extract<PostExtra, { type: 'game' }>>({ type: literal('game'), title: string, about: string }),
    unknown,
  },
  toUnknown,
);
