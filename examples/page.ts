/*
 * Examples page: it is outside the app, like any third-party site. It knows the tags only by their public files: the newest
 * script of each, `custom-elements.json` and `versions.json`. So it has its own folder. Its texts are translated together with
 * those of the app.
 */
import type { Channel } from '../contract/channel.ts';
import { pagedChannels, pagedPosts } from '../contract/parse.ts';
import { type Parse, shape, string } from '../contract/shape.ts';
import { str } from '../src/i18n/messages.ts';
import { type Choosable, drawChoices, nameOf } from './choices.ts';
import { type DescribedTag, parseTags, parseVersions, type Version } from './described.ts';
import { find, make } from './dom.ts';
import { readMessages } from './messages.ts';
import { drawReference } from './reference.ts';
import { canComeAhead, type Example, type Fallback, readSnippet, writeSnippet } from './snippet.ts';

const { m, languages, tags: described } = readMessages();
const form = find('choices', HTMLFormElement);
const stage = find('stage', HTMLElement);
const told = find('told', HTMLElement);
const snippet = find('snippet', HTMLTextAreaElement);
const versions = find('version', HTMLSelectElement);
const ahead = find('ahead', HTMLInputElement);
const aboutVersion = find('about-version', HTMLElement);
const copied = find('copied', HTMLElement);

const FIRST = 'changer-channel';
/** Initial `limit`: a few posts are enough to see what they look like. */
const FEW = '5';

async function read<Value>(path: string, parse: Parse<Value>): Promise<Value> {
  const answer = await fetch(path, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return parse(await answer.json(), path);
}

/**
 * Uses the language that the reader chose in the app, unless the page's URL sets one. Returns true if it navigates to that
 * language.
 */
function followChoice(): boolean {
  const chosen = storedLocale();
  const isOther = chosen !== m.locale && languages.some(([code]) => code === chosen);
  if (!isOther || new URLSearchParams(location.search).has('lang')) return false;
  location.replace(`/elements/?lang=${chosen}`);
  return true;
}

function storedLocale(): string | null {
  try {
    return localStorage.getItem('changer_locale');
  } catch {
    return null; // The browser blocks storage.
  }
}

async function start(): Promise<void> {
  if (followChoice()) return;
  const [tags, pinned, { items: channels }] = await Promise.all([
    read(described, parseTags),
    read('/elements/versions.json', parseVersions),
    read('/api/channels', pagedChannels),
    read('/manifest.webmanifest', shape<{ name: string }>({ name: string })).then(({ name }) => {
      find('brand', HTMLElement).textContent = name;
    }),
  ]);
  await run(tags, pinned, channels);
}

async function run(tags: readonly DescribedTag[], pinned: readonly Version[], channels: readonly Channel[]): Promise<void> {
  const known = new Map(tags.map(({ tagName, attributes }) => [tagName, attributes.map(({ name }) => name)]));
  let choosable: Choosable = { m, languages, tags, channels, posts: [] };
  let example: Example = { tag: FIRST, attributes: await givenOf(FIRST) };
  let shown: HTMLElement | null = null;

  /** Returns the initial attributes of a tag, so that there is something to see: the first channel, its newest post. */
  async function givenOf(tag: string, before: ReadonlyMap<string, string> = new Map()): Promise<ReadonlyMap<string, string>> {
    const names = known.get(tag) ?? [];
    const given = new Map([...before].filter(([name]) => names.includes(name)));
    const [first] = channels;
    if (names.includes('channel-id') && !given.has('channel-id') && first !== undefined) given.set('channel-id', nameOf(first));
    if (names.includes('limit') && !given.has('limit')) given.set('limit', FEW);
    if (names.includes('post-id')) await choosePost(given);
    return given;
  }

  async function choosePost(given: Map<string, string>): Promise<void> {
    const path = `/api/channels/${encodeURIComponent(given.get('channel-id') ?? '')}/posts?limit=20`;
    const { items } = await read(path, pagedPosts).catch(() => ({ items: [] }));
    choosable = { ...choosable, posts: items.map(({ id, text }) => [id, firstWords(text) || m.msg(str`Post ${id}`)]) };
    const [newest] = choosable.posts;
    if (!choosable.posts.some(([id]) => String(id) === given.get('post-id')) && newest !== undefined)
      given.set('post-id', String(newest[0]));
  }

  function choose(next: Example, drawAnew: boolean): void {
    example = next;
    if (drawAnew) drawForm();
    drawStage();
    drawSnippet();
  }

  function drawForm(): void {
    const focused = focusIn(form);
    drawChoices(form, example, choosable, {
      tag: async (tag) => {
        choose({ tag, attributes: await givenOf(tag, example.attributes) }, true);
        drawFacts();
      },
      attribute: async (name, value) => {
        const attributes = new Map(example.attributes);
        if (value === null) attributes.delete(name);
        else attributes.set(name, value);
        if (name !== 'channel-id') return choose({ ...example, attributes }, false);
        attributes.delete('post-id');
        choose({ ...example, attributes: await givenOf(example.tag, attributes) }, true);
      },
    });
    if (focused >= 0) controlsOf(form)[focused]?.focus();
  }

  /** Renders the preview. The element stays the same while only its attributes change, as with a site's script. */
  function drawStage(): void {
    const { tag, attributes } = example;
    if (shown?.localName !== tag) {
      const script = `/elements/${tag}.js`;
      import(script).catch(() => say(m.msg('Its script could not be loaded.')));
      shown = document.createElement(tag);
      stage.replaceChildren(shown);
    }
    for (const name of known.get(tag) ?? []) {
      const value = attributes.get(name);
      if (value === undefined) shown.removeAttribute(name);
      else if (shown.getAttribute(name) !== value) shown.setAttribute(name, value);
    }
    const { href, text } = fallback();
    shown.replaceChildren(make('a', { href }, text));
  }

  function drawSnippet(): void {
    const version = pinned.find(({ version }) => version === versions.value) ?? null;
    ahead.disabled = version !== null || !canComeAhead(example);
    const way = { pinned: version, ahead: ahead.checked && !ahead.disabled };
    const text = writeSnippet(example, fallback(), location.origin, way);
    if (document.activeElement !== snippet) snippet.value = text;
    const bytes = version?.files.get(`${example.tag}.js`)?.bytes;
    aboutVersion.textContent =
      version === null || bytes === undefined
        ? m.msg('Always the newest version. You can edit these lines: the preview changes with them.')
        : aboutPinned(version, bytes);
  }

  function aboutPinned({ until }: Version, bytes: number): string {
    const kB = m.number(Math.round(bytes / 1000));
    return until === null
      ? m.msg(
          str`Never changes: the browser checks its hash. One file of ${kB} kB before compression, kept for a year after the next version.`,
        )
      : m.msg(str`Never changes: the browser checks its hash. One file of ${kB} kB before compression, kept until ${until}.`);
  }

  function drawFacts(): void {
    const about = tags.find(({ tagName }) => tagName === example.tag);
    if (about !== undefined) find('reference', HTMLElement).replaceChildren(...drawReference(m, about));
  }

  function fallback(): Fallback {
    const channel = channels.find((each) => [each.id, each.username].includes(example.attributes.get('channel-id')));
    if (channel === undefined) return { href: `${location.origin}/main`, text: find('brand', HTMLElement).textContent };
    const post = example.attributes.get('post-id');
    const path = `/channel/${encodeURIComponent(nameOf(channel))}`;
    return {
      href: location.origin + path + (post === undefined ? '' : `?post=${encodeURIComponent(post)}`),
      text: channel.title,
    };
  }

  versions.append(
    make('option', { value: '' }, m.msg('Newest')),
    ...pinned.map(({ version }) => make('option', { value: version }, version)),
  );
  for (const control of [versions, ahead]) control.addEventListener('change', drawSnippet);
  snippet.addEventListener('input', () => {
    const read = readSnippet(snippet.value, known);
    if (read !== null) choose(read, true);
    if (read !== null) drawFacts();
  });
  snippet.addEventListener('blur', drawSnippet);
  listenTo(new Set(tags.flatMap(({ events }) => events.map(({ name }) => name))));
  choose(example, true);
  drawFacts();
}

const firstWords = (text: string): string => [...(text.split('\n', 1)[0] ?? '')].slice(0, 60).join('');

const controlsOf = (within: HTMLElement): HTMLElement[] => [...within.querySelectorAll<HTMLElement>('input, select')];
const focusIn = (within: HTMLElement): number => {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement ? controlsOf(within).indexOf(activeElement) : -1;
};

const say = (words: string): void => {
  told.textContent = words;
};

/** Shows the last event that the tag dispatched. */
function listenTo(events: ReadonlySet<string>): void {
  for (const name of events)
    stage.addEventListener(name, (event) => {
      say(`${name} ${event instanceof CustomEvent ? JSON.stringify(event.detail) : ''}`);
    });
}

function drawWidths(): void {
  const widths = [
    [m.msg('Phone'), 'phone'],
    [m.msg('Full'), ''],
  ] as const;
  const buttons = widths.map(([words, name]) =>
    make('button', { type: 'button', value: name, ariaPressed: String(name === '') }, words),
  );
  for (const button of buttons)
    button.addEventListener('click', () => {
      stage.className = button.value;
      for (const each of buttons) each.ariaPressed = String(each === button);
    });
  find('widths', HTMLElement).append(...buttons);
}

async function copy(): Promise<void> {
  try {
    await navigator.clipboard.writeText(snippet.value);
    copied.textContent = m.msg('Copied.');
  } catch {
    snippet.select();
    copied.textContent = m.msg('The lines are selected: copy them with the keyboard.');
  }
  find('copy', HTMLButtonElement).textContent = m.msg('Copied');
}

form.addEventListener('submit', (event) => event.preventDefault());
find('copy', HTMLButtonElement).addEventListener('click', copy);
// Some browsers do not let the keyboard focus a scrollable element.
stage.tabIndex = 0;
drawWidths();
start().catch((error: unknown) =>
  say(m.msg(str`This page could not be loaded: ${error instanceof Error ? error.message : String(error)}.`)),
);
