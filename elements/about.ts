/*
 * What the tags take, tell and let be styled, in words: for custom-elements.json, the types of the package and the page of
 * examples. No bundle holds it. Names, kinds and defaults are read from the code; a name that is only there, or only here,
 * fails the build.
 */
import type { ChangerEvents, VersionConflict } from './events.ts';

/** What an event carries: each field's type and meaning. */
export interface AboutEvent<Detail> {
  readonly words: string;
  readonly detail: { readonly [Field in keyof Detail]: readonly [type: string, words: string] };
}

type Told = ChangerEvents & { 'changer-version-conflict': CustomEvent<VersionConflict> };

/** Words by the name of what they are about. */
export type Words = Readonly<Record<string, string>>;

/** What every tag takes. */
export const attributes: Words = {
  lang: 'Language of the words around the posts; else that of the visitor’s browser.',
  dir: 'Direction of the layout; else that of the language. Each post follows its own.',
  theme: 'Light or dark; `auto`, as without it, is what the visitor’s device wants.',
  accent: 'A CSS colour for links and buttons; what would be unreadable is mended.',
  api: 'Address of the server; else where the script came from. A tag that a site bundles from npm needs it.',
  grant: 'For private channels: what the site’s server signed, sent to the server alone; a fresh one is set before it is over.',
  density: 'With `compact` there is less room between posts and in them.',
  loading:
    'With `lazy` nothing is fetched until the tag is near the window, with `eager` everything at once; without it the first ten tags of a page begin at once, further ones when they are within two windows.',
};

/** What the app alone sets. */
export const properties: Words = {
  services: 'What the page works with; set by the app, left alone elsewhere.',
  params: 'Parameters of the app’s route; set by the app, left alone elsewhere.',
};

/** All events bubble and leave the shadow tree; the conflict of versions is told of on the document alone. */
export const events: { readonly [Name in keyof Told]: AboutEvent<Told[Name]['detail']> } = {
  'changer-loaded': {
    words: 'The first content stands, or that of what the attributes name now.',
    detail: { count: ['number', 'How many posts; in the dial, channels.'] },
  },
  'changer-post-opened': {
    words: 'A visitor goes to a post, here or where it was published; where this is cancelled, the link leads nowhere.',
    detail: {
      channelId: ['string', 'Its channel.'],
      postId: ['number', 'Its number in its channel.'],
      url: ['string', 'Where the link leads.'],
    },
  },
  'changer-version-conflict': {
    words: 'Told of on the document, once for each tag: another version was there first, and stays.',
    detail: {
      tag: ['string', 'The tag’s name.'],
      kept: ['string | null', 'The version that stays; null where it is none of ours.'],
      refused: ['string', 'The version that came later.'],
    },
  },
  'changer-failed': {
    words:
      'The content could not be shown; what stands inside the tag is shown in its place. Told of on the document: something in a tag failed later, and the rest of it stays.',
    detail: { message: ['string', 'What went wrong, as the server or the browser says it.'] },
  },
  'changer-attribute-refused': {
    words: 'An attribute or a property has a value that cannot be read; the tag goes on as if it were absent.',
    detail: {
      attribute: ['string', 'Its name.'],
      value: ['string | null', 'What it was.'],
      expected: ['string', 'What would have been taken.'],
    },
  },
};

/** CSS parts, for `::part()`. */
export const parts: Words = {
  head: 'Who the channel is, above its posts.',
  post: 'A post.',
  'post-head': 'Whose a post is, and when it was written.',
  'post-body': 'Text of a post.',
  media: 'Pictures and videos of a post.',
  actions: 'What can be done with a post.',
  more: 'Shows the rest of a long text.',
};

/** The custom properties that tokens.css reads. */
export const styles: Words = {
  '--changer-brand': 'The brand’s colour, of which accents are made; the `accent` attribute in CSS.',
  '--changer-brand-light': 'The accent in the light theme, as it is to be.',
  '--changer-brand-dark': 'The accent in the dark theme, as it is to be.',
  '--changer-accent': 'Links, buttons and what is chosen, in both themes.',
  '--changer-accent-soft': 'Ground below what is chosen.',
  '--changer-on-accent': 'Text upon the accent.',
  '--changer-ground': 'Ground of the page.',
  '--changer-surface': 'Ground of posts.',
  '--changer-raised': 'Ground of what stands above: menus, sheets.',
  '--changer-sunken': 'Ground of what lies deeper: code, fields.',
  '--changer-text': 'Text.',
  '--changer-text-soft': 'Text of second rank.',
  '--changer-line': 'Hairlines.',
  '--changer-line-strong': 'Borders of fields and buttons.',
  '--changer-unread': 'What is unread, and what went wrong.',
  '--changer-star': 'Starred posts.',
  '--changer-good': 'What went well.',
  '--changer-mark': 'Ground of found words.',
  '--changer-tabs': 'Ground of the bar at the bottom.',
  '--changer-veil': 'How much shines through bars.',
  '--changer-shadow': 'Shadow of cards and sheets.',
  '--changer-font': 'Family of the font.',
  '--changer-safe-top': 'Space that a device or an app covers, top.',
  '--changer-safe-right': 'Space that a device or an app covers, right.',
  '--changer-safe-bottom': 'Space that a device or an app covers, bottom.',
  '--changer-safe-left': 'Space that a device or an app covers, left.',
  '--changer-bottom-bar': 'Height of a bar that covers the bottom.',
  '--changer-space': 'Of the room between posts and in them; half is 0.5.',
  '--changer-reserve': 'What the tag takes at least, so that nothing below it moves when its content comes; of a post nothing.',
};

export interface AboutTag {
  readonly words: string;
  readonly attributes: Words;
  /** What its children are, where they are no fallback. */
  readonly slot?: string;
  /** The app's own: of no use on a site. */
  readonly app?: true;
}

/** What each tag is, and what it takes beyond that. */
export const tags: Readonly<Record<string, AboutTag>> = {
  'changer-channel': {
    words: 'One channel: what it is about and its posts, newest first.',
    attributes: {
      'channel-id': 'Id or username of the channel.',
      limit: 'How many posts are fetched at a time.',
    },
  },
  'changer-close-webapp': {
    words: 'The app’s own: what stays to be seen when the mini-app has closed.',
    app: true,
    attributes: {},
  },
  'changer-dial': {
    words: 'One channel a card, to flip through, and the line-up below.',
    attributes: {},
  },
  'changer-feed': {
    words: 'Posts of several channels as one feed, newest first.',
    attributes: {
      channels: 'Ids or usernames, divided by commas, or as a property an array of them; else all channels of the server.',
      limit: 'How many posts are fetched at a time.',
    },
  },
  'changer-layout': {
    words: 'The app’s own: the navigation around a page.',
    app: true,
    attributes: { path: 'Address of the page, with its query.' },
    slot: 'The page.',
  },
  'changer-not-found': {
    words: 'The app’s own: says that there is no such page.',
    app: true,
    attributes: {},
  },
  'changer-post': {
    words: 'One post, as it is in the feed.',
    attributes: {
      'channel-id': 'Id or username of its channel.',
      'post-id': 'Its number in its channel.',
    },
  },
  'changer-search': {
    words: 'Search in posts.',
    attributes: {
      channels: 'Ids or usernames, divided by commas, or as a property an array of them; else all channels of the server.',
      q: 'What is searched for at first.',
      limit: 'How many posts are fetched at a time.',
    },
  },
  'changer-self-test': {
    words: 'The app’s own: live checks of what holds the app, with a report to copy.',
    app: true,
    attributes: {},
  },
};

/** What a tag's children are. */
export const fallback = 'What is shown until the content is there, and where it never comes.';
