/*
 * Documentation of the custom elements: attributes, events, CSS parts and custom properties. It is the source for
 * custom-elements.json, the types of the package and the page of examples, which shows it in the languages of the app.
 * No bundle contains this file. Names, kinds and defaults are read from the code; the build fails if a name exists only
 * in the code or only in this file. Texts that no site needs are in English only.
 */
import type { Messages } from '../src/i18n/messages.ts';
import type { ChangerEvents, VersionConflict } from './events.ts';

/** Description of an event: the type and meaning of each field of its detail. */
export interface EventDocs<Detail> {
  readonly description: string;
  readonly detail: { readonly [Field in keyof Detail]: readonly [type: string, description: string] };
}

type DocumentedEvents = ChangerEvents & { 'changer-version-conflict': CustomEvent<VersionConflict> };

type Msg = Messages['msg'];

/** Descriptions by the name of the described item. */
export type Descriptions = Readonly<Record<string, string>>;

/** Attributes that every tag has. */
export const attributes = (msg: Msg): Descriptions => ({
  lang: msg('Language of the texts around the posts; by default, that of the visitor’s browser.'),
  dir: msg('Direction of the layout; by default, that of the language. Each post has its own direction.'),
  theme: msg('Light or dark; `auto`, the default, follows the visitor’s device.'),
  accent: msg('A CSS colour for links and buttons; one that would be unreadable is corrected.'),
  api: msg('Address of the server; by default, the origin of the script. A tag that a site bundles from npm needs it.'),
  grant: msg(
    'For private channels: a grant that the site’s server signed. It is sent only to the server. Set a new one before it expires.',
  ),
  density: msg('With `compact` there is less space between and inside posts.'),
  loading: msg(
    'With `lazy` nothing is fetched until the tag is near the window, with `eager` everything at once; without it the first ten tags of a page begin at once, further ones when they are within two windows.',
  ),
  hydrate: msg(
    'When the tag loads its code: with `interaction`, the default, as soon as a visitor uses it or comes near the end of its list, with `visible` when it is in the window, with `idle` when the browser is idle, with `load` at once. Until then it shows posts that the server rendered.',
  ),
});

/** Properties that only the app sets. */
export const properties: Descriptions = {
  services: 'What the page works with; set by the app, left alone elsewhere.',
  params: 'Parameters of the app’s route; set by the app, left alone elsewhere.',
};

/** All events bubble and are composed. The version conflict is dispatched only on the document. */
export const events = (msg: Msg): { readonly [Name in keyof DocumentedEvents]: EventDocs<DocumentedEvents[Name]['detail']> } => ({
  'changer-loaded': {
    description: msg('The content is shown for the first time, or after the attributes changed.'),
    detail: { count: ['number', 'How many posts; in the dial, channels.'] },
  },
  'changer-post-opened': {
    description: msg(
      'A visitor opens a post, here or where it was published. If this event is cancelled, the link is not followed.',
    ),
    detail: {
      channelId: ['string', 'Its channel.'],
      postId: ['number', 'Its number in its channel.'],
      url: ['string', 'Where the link leads.'],
    },
  },
  'changer-version-conflict': {
    description: msg('Dispatched on the document, once for each tag: another version was defined first, and stays.'),
    detail: {
      tag: ['string', 'The tag’s name.'],
      kept: ['string | null', 'The version that stays; null where it is none of ours.'],
      refused: ['string', 'The version that came later.'],
    },
  },
  'changer-failed': {
    description: msg(
      'The content could not be shown; the children of the tag are shown in its place. Dispatched on the document: a part of a tag failed later, and the rest of it stays.',
    ),
    detail: { message: ['string', 'What went wrong, as the server or the browser says it.'] },
  },
  'changer-attribute-refused': {
    description: msg('An attribute or a property has an invalid value; the tag ignores it.'),
    detail: {
      attribute: ['string', 'Its name.'],
      value: ['string | null', 'What it was.'],
      expected: ['string', 'What would have been taken.'],
    },
  },
});

/** CSS parts, for `::part()`. */
export const parts = (msg: Msg): Descriptions => ({
  head: msg('Header of the channel, above its posts.'),
  post: msg('A post.'),
  'post-head': msg('Author and date of a post.'),
  'post-body': msg('Text of a post.'),
  media: msg('Pictures and videos of a post.'),
  actions: msg('Actions of a post.'),
  more: msg('Shows the rest of a long text.'),
});

/** The custom properties that tokens.css reads. */
export const styles = (msg: Msg): Descriptions => ({
  '--changer-brand': msg('The brand’s colour, from which the accents are derived; the `accent` attribute in CSS.'),
  '--changer-brand-light': msg('The accent in the light theme, used unchanged.'),
  '--changer-brand-dark': msg('The accent in the dark theme, used unchanged.'),
  '--changer-accent': msg('Links, buttons and selected items, in both themes.'),
  '--changer-accent-soft': msg('Background of selected items.'),
  '--changer-on-accent': msg('Text on the accent.'),
  '--changer-ground': msg('Background of the page.'),
  '--changer-surface': msg('Background of posts.'),
  '--changer-raised': msg('Background of menus and sheets.'),
  '--changer-sunken': msg('Background of code and fields.'),
  '--changer-text': msg('Text.'),
  '--changer-text-soft': msg('Secondary text.'),
  '--changer-line': msg('Thin lines.'),
  '--changer-line-strong': msg('Borders of fields and buttons.'),
  '--changer-unread': msg('Unread counts and errors.'),
  '--changer-star': msg('Starred posts.'),
  '--changer-good': msg('Success.'),
  '--changer-mark': msg('Background of found words.'),
  '--changer-tabs': msg('Background of the bar at the bottom.'),
  '--changer-veil': msg('Transparency of bars.'),
  '--changer-shadow': msg('Shadow of cards and sheets.'),
  '--changer-font': msg('Font family.'),
  '--changer-safe-top': msg('Space that a device or an app covers, top.'),
  '--changer-safe-right': msg('Space that a device or an app covers, right.'),
  '--changer-safe-bottom': msg('Space that a device or an app covers, bottom.'),
  '--changer-safe-left': msg('Space that a device or an app covers, left.'),
  '--changer-bottom-bar': msg('Height of a bar that covers the bottom.'),
  '--changer-space': msg('Factor for the space between and inside posts; 0.5 is half.'),
  '--changer-reserve': msg(
    'Minimum height of the tag, so that nothing below it moves when its content appears; a post has none.',
  ),
});

export interface TagDocs {
  readonly description: string;
  readonly attributes: Descriptions;
  /** Description of the tag's children, if they are not fallback content. */
  readonly slot?: string;
  /** Tag of the app itself: of no use on a site. */
  readonly app?: true;
}

/** Description of each tag and of the attributes that only this tag has. */
export const tags = (msg: Msg): Readonly<Record<string, TagDocs>> => ({
  'changer-channel': {
    description: msg('One channel: what it is about and its posts, newest first.'),
    attributes: {
      'channel-id': msg('Id or username of the channel.'),
      limit: msg('How many posts are fetched at a time.'),
    },
  },
  'changer-close-webapp': {
    description: 'Used by the app only: the page that stays visible after the mini-app closed.',
    app: true,
    attributes: {},
  },
  'changer-dial': {
    description: msg('One card per channel, to flip through, and the line-up below.'),
    attributes: {},
  },
  'changer-feed': {
    description: msg('Posts of several channels as one feed, newest first.'),
    attributes: {
      channels: msg(
        'Ids or usernames, separated by commas, or an array of them as a property; by default, all channels of the server.',
      ),
      limit: msg('How many posts are fetched at a time.'),
    },
  },
  'changer-layout': {
    description: 'Used by the app only: the navigation around a page.',
    app: true,
    attributes: { path: 'Address of the page, with its query.' },
    slot: 'The page.',
  },
  'changer-not-found': {
    description: 'Used by the app only: says that a page does not exist.',
    app: true,
    attributes: {},
  },
  'changer-notifications': {
    description: 'Used by the app only: the notifications of the reader.',
    app: true,
    attributes: {},
  },
  'changer-post': {
    description: msg('One post, as it is in the feed.'),
    attributes: {
      'channel-id': msg('Id or username of its channel.'),
      'post-id': msg('Its number in its channel.'),
    },
  },
  'changer-search': {
    description: msg('Search in posts.'),
    attributes: {
      channels: msg(
        'Ids or usernames, separated by commas, or an array of them as a property; by default, all channels of the server.',
      ),
      q: msg('Initial search text.'),
      limit: msg('How many posts are fetched at a time.'),
    },
  },
  'changer-self-test': {
    description: 'Used by the app only: checks of the browser and the host, with a report to copy.',
    app: true,
    attributes: {},
  },
});

/** Description of a tag's children. */
export const fallback = (msg: Msg): string => msg('Shown until the content appears, and if it never appears.');
