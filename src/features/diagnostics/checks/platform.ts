/* Diagnostic checks of the platform: container and launch data. */
import { type Messages, str } from '../../../i18n/i18n.ts';
import type { Check, CheckFinding } from '../check.ts';
import { maskId } from '../redact.ts';

/** Returns the features of a Telegram client by the Bot API version that introduced them. */
const botApiFeatures = ({ msg }: Messages): readonly (readonly [version: string, features: string])[] => [
  ['6.1', msg('back button, haptics')],
  ['7.7', msg('vertical swipes')],
  ['8.0', msg('safe areas, fullscreen')],
];

const DAY_SECONDS = 86_400;
/** Maximum time by which the server's clock may be ahead of the device's. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** Reports the container that runs the app, and its features. */
export const containerCheck: Check = {
  id: 'container',
  group: 'container',
  title: ({ msg }) => msg('Container'),
  run({ services: { host }, m }) {
    const { msg } = m;
    const viewport = `${window.innerWidth}×${window.innerHeight}`;
    if (host.kind === 'browser') return { result: 'pass', detail: msg(str`A browser, ${browserName()}, ${viewport}`) };
    const supported = botApiFeatures(m)
      .filter(([version]) => host.supports(version))
      .map(([, features]) => features);
    const detail = [`Telegram ${host.platform ?? '?'}`, `Bot API ${host.version ?? '?'}`, viewport, ...supported].join(' · ');
    if (host.supports('6.1')) return { result: 'pass', detail };
    return { result: 'warn', detail, remedy: msg('Update Telegram: this version has no back button and no haptics.') };
  },
};

/** Brand in the browser's client hints. */
interface BrowserBrand {
  readonly brand: string;
  readonly version: string;
}

/** Returns the browser's name and version, from its client hints if it provides them. */
function browserName(): string {
  const hints: unknown = Reflect.get(navigator, 'userAgentData');
  const brands: unknown = typeof hints === 'object' && hints !== null ? Reflect.get(hints, 'brands') : undefined;
  // Browsers add an invalid brand such as "Not;A=Brand", so that pages do not depend on a fixed list.
  const realBrands = Array.isArray(brands)
    ? brands.filter(isBrand).filter(({ brand }) => !/not.?a.?brand/i.test(brand.replace(/[^a-z]/gi, '')))
    : [];
  const lastBrand = realBrands.at(-1);
  return lastBrand === undefined
    ? (/(Firefox|Version|Chrome)\/[\d.]+/.exec(navigator.userAgent)?.[0] ?? '?')
    : `${lastBrand.brand} ${lastBrand.version}`;
}

const isBrand = (value: unknown): value is BrowserBrand =>
  typeof value === 'object' &&
  value !== null &&
  typeof Reflect.get(value, 'brand') === 'string' &&
  typeof Reflect.get(value, 'version') === 'string';

/** Checks whether launch data exists, which fields it has, and how old it is. */
export const launchDataCheck: Check = {
  id: 'launch-data',
  group: 'container',
  title: ({ msg }) => msg('Launch data'),
  run({ services: { host }, m: { msg } }) {
    const raw = host.launchData();
    if (raw !== null) return checkLaunchData(raw, host.readerId(), msg);
    if (host.kind === 'browser') return { result: 'n/a', detail: msg('A browser gives none.') };
    return {
      result: 'warn',
      detail: msg('Telegram gave none: the app was opened from a keyboard or an inline button, or you signed out.'),
      remedy: msg('Open the app from the bot’s menu button or a link.'),
    };
  },
};

function checkLaunchData(raw: string, readerId: string | null, msg: Parameters<Check['title']>[0]['msg']): CheckFinding {
  const fields = new URLSearchParams(raw);
  const ageSeconds = Math.floor(Date.now() / 1000) - Number(fields.get('auth_date'));
  const missing = ['auth_date', 'hash', 'user'].filter((name) => !fields.has(name));
  if (missing.length > 0 || Number.isNaN(ageSeconds)) {
    return {
      result: 'fail',
      detail: msg(str`Incomplete: no ${missing.join(', ') || 'auth_date'}`),
      remedy: msg('Close the app and open it again.'),
    };
  }
  const minutes = Math.round(ageSeconds / 60);
  const detail = msg(str`${[...fields.keys()].join(', ')}; user ${maskId(readerId ?? '')}; age ${minutes} min`);
  if (ageSeconds < -MAX_CLOCK_SKEW_SECONDS)
    return { result: 'warn', detail, remedy: msg('This device’s clock is behind: set it to automatic.') };
  if (ageSeconds > DAY_SECONDS)
    return {
      result: 'warn',
      detail,
      remedy: msg('Older than a day, so the server refuses it. Close the app and open it again.'),
    };
  return { result: 'pass', detail };
}
