/** Form of the examples page: the controls for the tag and its attributes. */
import type { Channel } from '../contract/channel.ts';
import type { Messages } from '../src/i18n/messages.ts';
import type { Described, DescribedTag } from './described.ts';
import { make } from './dom.ts';
import type { Language } from './messages.ts';
import type { Example } from './snippet.ts';

/** Data for the controls of the form. */
export interface Choosable {
  readonly m: Messages;
  /** Languages of the tags. */
  readonly languages: readonly Language[];
  readonly tags: readonly DescribedTag[];
  readonly channels: readonly Channel[];
  /** Newest posts of the selected channel: ids and first words. */
  readonly posts: readonly (readonly [id: number, words: string])[];
}

/** Callbacks for each change of the form. A value of null removes the attribute. */
export interface Choose {
  tag(name: string): void;
  attribute(name: string, value: string | null): void;
}

/**
 * Attributes without a control. The tag's script already knows the API's origin from its own URL, so no snippet from this page
 * needs `api`.
 */
const UNASKED = ['api', 'dir'];

/** Returns the name of a channel in a snippet. */
export const nameOf = ({ id, username }: Channel): string => username ?? id;

/** Renders the form: the choice of the tag, and a control for each of its attributes. */
export function drawChoices(form: HTMLFormElement, { tag, attributes }: Example, choosable: Choosable, choose: Choose): void {
  const own = choosable.tags.find(({ tagName }) => tagName === tag)?.attributes ?? [];
  form.replaceChildren(
    drawTags(tag, choosable, choose),
    ...own
      .filter(({ name }) => !UNASKED.includes(name))
      .map((each) => drawAttribute(each, attributes.get(each.name), choosable, (value) => choose.attribute(each.name, value))),
  );
}

function drawTags(chosen: string, { m, tags }: Choosable, choose: Choose): HTMLElement {
  const options = tags.map(({ tagName, description }) => {
    const input = make('input', { type: 'radio', name: 'tag', value: tagName, checked: tagName === chosen, title: description });
    input.addEventListener('change', () => choose.tag(tagName));
    return make('label', {}, input, make('span', {}, tagName.replace('changer-', '')));
  });
  const words = tags.find(({ tagName }) => tagName === chosen)?.description ?? '';
  return make('fieldset', {}, make('legend', {}, m.msg('Tag')), make('div', { className: 'segments' }, ...options), note(words));
}

type Chosen = (value: string | null) => void;

function drawAttribute(about: Described, value: string | undefined, choosable: Choosable, chosen: Chosen): HTMLElement {
  const { name } = about;
  if (name === 'channels') return drawChannels(about, value, choosable, chosen);
  if (name === 'accent') return drawColour(about, value, choosable.m, chosen);
  const control = controlOf(about, value, choosable);
  // Text is applied while the reader types. The form is not rendered again for it.
  control.addEventListener(control instanceof HTMLInputElement ? 'input' : 'change', () => chosen(control.value || null));
  const words = note(about.description ?? '');
  words.id = `about-${name}`;
  control.setAttribute('aria-describedby', words.id);
  return make('div', { className: 'field' }, make('label', {}, head(name), control), words);
}

function controlOf({ name, type }: Described, value = '', choosable: Choosable): HTMLInputElement | HTMLSelectElement {
  const { m, languages, channels, posts } = choosable;
  if (name === 'channel-id')
    return select(
      channels.map((channel) => [nameOf(channel), channel.title]),
      value,
    );
  if (name === 'post-id')
    return select(
      posts.map(([id, words]) => [String(id), words]),
      value,
    );
  if (name === 'lang') return select([['', m.msg('Language of the visitor')], ...languages], value);
  const words = [...(type?.text ?? '').matchAll(/'([^']*)'/g)].map(([, word = '']): [string, string] => [word, word]);
  if (words.length > 0) return select([['', m.msg('Not set')], ...words], value);
  const isNumber = type?.text === 'number';
  return make('input', {
    type: isNumber ? 'number' : 'text',
    value,
    ...(isNumber && { min: '1', max: '100', placeholder: '20' }),
  });
}

function select(options: readonly (readonly [value: string, words: string])[], value: string): HTMLSelectElement {
  const known = options.some(([each]) => each === value) ? options : [...options, [value, value] as const];
  return make('select', {}, ...known.map(([each, words]) => make('option', { value: each, selected: each === value }, words)));
}

function drawChannels({ name, description }: Described, value = '', { channels }: Choosable, chosen: Chosen): HTMLElement {
  const named = new Set(
    value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  );
  const boxes = channels.map((channel) => {
    const input = make('input', { type: 'checkbox', checked: named.has(nameOf(channel)) || named.has(channel.id) });
    input.addEventListener('change', () => {
      named.delete(channel.id);
      if (input.checked) named.add(nameOf(channel));
      else named.delete(nameOf(channel));
      chosen([...named].join(',') || null);
    });
    return make('label', {}, input, make('bdi', {}, channel.title));
  });
  return make(
    'fieldset',
    {},
    make('legend', {}, head(name)),
    make('div', { className: 'boxes' }, ...boxes),
    note(description ?? ''),
  );
}

function drawColour({ name, description }: Described, value: string | undefined, m: Messages, chosen: Chosen): HTMLElement {
  const own = make('input', { type: 'checkbox', checked: value !== undefined });
  const colour = make('input', {
    type: 'color',
    value: value ?? '#0f6f67',
    disabled: value === undefined,
    ariaLabel: m.msg('Colour'),
  });
  own.addEventListener('change', () => {
    colour.disabled = !own.checked;
    chosen(own.checked ? colour.value : null);
  });
  colour.addEventListener('input', () => chosen(colour.value));
  const row = make('div', { className: 'row' }, make('label', {}, own, m.msg('Custom colour')), colour);
  return make('fieldset', {}, make('legend', {}, head(name)), row, note(description ?? ''));
}

const head = (name: string): HTMLElement => make('code', {}, name);
const note = (words: string): HTMLElement => make('p', { className: 'note' }, ...marked(words));

/** Converts a text: words in backquotes become code elements. */
export const marked = (words: string): (HTMLElement | string)[] =>
  words.split('`').map((part, index) => (index % 2 === 1 ? make('code', {}, part) : part));
