/*
 * Telegram client of `npm run dev`: a page that embeds the app as the web clients of Telegram do, with the same sandbox,
 * messages as JSON strings, and launch data signed with the token of the server. It also renders the parts of a client around
 * the app (title bar, Back button, colours).
 */
import {
  DARK,
  type EmbeddedApp,
  embedApp,
  LIGHT,
  launchHash,
  OLD,
  type PostedMessage,
  STRICT,
  type TelegramDouble,
  WEB_A,
  WEB_K,
} from './host-doubles.ts';

type Theme = Readonly<Record<string, string>>;

const SEPIA: Theme = {
  ...LIGHT,
  bg_color: '#fbf3e4',
  secondary_bg_color: '#efe4cf',
  text_color: '#3b2f20',
  hint_color: '#a08c6c',
  button_color: '#c98a2b',
  link_color: '#b0711a',
};
const THEMES: Readonly<Record<string, Theme>> = { Light: LIGHT, Dark: DARK, Sepia: SEPIA };
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  Phone: [390, 720],
  'Small phone': [320, 520],
  Tablet: [768, 900],
  Desktop: [1200, 860],
};
const CLIENTS: readonly TelegramDouble[] = [WEB_A, WEB_K, OLD, STRICT];

const form = find('#settings', HTMLFormElement);
const client = find('#client', HTMLElement);
const back = find('#back', HTMLButtonElement);
let holder: EmbeddedApp | null = null;
let isVisible = true;

fill(
  'client',
  CLIENTS.map(({ name, version }) => `${name} (${version})`),
);
fill('theme', Object.keys(THEMES));
fill('size', Object.keys(SIZES));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  void launch();
});
form.addEventListener('change', ({ target }) => {
  if (target === form.elements.namedItem('theme')) send('theme_changed', { theme_params: theme() });
  if (target === form.elements.namedItem('size')) resize();
});
back.addEventListener('click', () => send('back_button_pressed', null));
find('#close', HTMLButtonElement).addEventListener('click', close);
find('#reload', HTMLButtonElement).addEventListener('click', () => send('reload_iframe', null));
find('#hide', HTMLButtonElement).addEventListener('click', () => {
  isVisible = !isVisible;
  send('visibility_changed', { is_visible: isVisible });
});
resize();
void launch();

async function launch(): Promise<void> {
  const double = CLIENTS[find('[name=client]', HTMLSelectElement).selectedIndex] ?? WEB_A;
  const frame = document.createElement('iframe');
  frame.title = 'The app';
  frame.setAttribute(
    'sandbox',
    'allow-scripts allow-same-origin allow-popups allow-forms allow-modals allow-storage-access-by-user-activation',
  );
  const start = fieldValue('start');
  const query = start === '' ? '' : `?tgWebAppStartParam=${encodeURIComponent(start)}`;
  frame.src = fieldValue('path') + query + launchHash(double, theme(), await launchData());
  back.hidden = true;
  holder = embedApp(frame, double, { theme, sizes, heard: handleMessage });
  find('#app', HTMLElement).replaceChildren(frame);
}

async function launchData(): Promise<string> {
  if (!find('[name=signed]', HTMLInputElement).checked) return '';
  const query = new URLSearchParams({ user: fieldValue('user'), name: fieldValue('name'), language: fieldValue('language') });
  if (fieldValue('start') !== '') query.set('start', fieldValue('start'));
  return (await fetch(`/dev/launch-data?${query}`)).text();
}

function theme(): Theme {
  return THEMES[fieldValue('theme')] ?? LIGHT;
}

function sizes() {
  const height = find('#app', HTMLElement).clientHeight;
  const none = { top: 0, right: 0, bottom: 0, left: 0 };
  return { height, safeArea: none, contentSafeArea: none };
}

function resize(): void {
  const [width, height] = SIZES[fieldValue('size')] ?? [390, 720];
  client.style.setProperty('--width', `${width}px`);
  client.style.setProperty('--height', `${height}px`);
  send('viewport_changed', { height: sizes().height, is_expanded: true, is_state_stable: true });
}

/** Handles a message as a client does: title bar, colours, links, closing. */
function handleMessage({ eventType, eventData }: PostedMessage): void {
  log('heard', eventType, eventData);
  const data: object = typeof eventData === 'object' && eventData !== null ? eventData : {};
  const field = (name: string): unknown => Reflect.get(data, name);
  if (eventType === 'web_app_close') close();
  if (eventType === 'web_app_setup_back_button') back.hidden = field('is_visible') !== true;
  if (eventType === 'web_app_open_link') window.open(String(field('url')), '_blank', 'noopener');
  if (eventType === 'web_app_open_tg_link') window.open(`https://t.me${String(field('path_full'))}`, '_blank', 'noopener');
  if (eventType === 'web_app_set_background_color') client.style.setProperty('--background', String(field('color')));
  if (eventType === 'web_app_set_header_color') {
    client.style.setProperty('--header', theme()[String(field('color_key'))] ?? String(field('color')));
    client.style.setProperty('--text', theme().text_color ?? '');
  }
}

function close(): void {
  find('#app', HTMLElement).replaceChildren();
  holder = null;
}

function send(eventType: string, eventData: unknown): void {
  if (holder === null) return;
  log('sent', eventType, eventData);
  holder.send(eventType, eventData);
}

function log(direction: 'heard' | 'sent', eventType: string, eventData: unknown): void {
  const line = document.createElement('li');
  line.className = direction;
  line.textContent = `${direction === 'sent' ? '→' : '←'} ${eventType} ${JSON.stringify(eventData)}`;
  find('#log', HTMLElement).prepend(line);
}

function fieldValue(name: string): string {
  const field = form.elements.namedItem(name);
  return field instanceof HTMLInputElement || field instanceof HTMLSelectElement ? field.value : '';
}

function fill(name: string, labels: readonly string[]): void {
  find(`[name=${name}]`, HTMLSelectElement).append(...labels.map((text) => new Option(text)));
}

function find<Found extends Element>(selector: string, type: new () => Found): Found {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}`);
  return found;
}
