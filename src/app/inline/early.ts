/** Runs inline in the page's head, before anything is loaded. */
import '../../platform/telegram/early-events.ts';
import type { Messages } from '../../i18n/i18n.ts';
import { directionOf, pickLocale } from '../../i18n/locale.ts';
import { earlyLanguage } from '../../platform/telegram/early-language.ts';
import { applyAppearanceEarly } from '../appearance-preference.ts';
import { chosenLocale } from '../locale-preference.ts';
import { createFailure } from '../shell/load-error.ts';
import { isFirstVisit, OWN } from './first-visit.ts';

// Before any part of it stores something.
document.documentElement.classList.toggle(OWN, !isFirstVisit());

// What is painted before any script already stands on the side where the reader's language will have it.
const locale = pickLocale([chosenLocale.read(), earlyLanguage(), ...navigator.languages]);
document.documentElement.dir = directionOf(locale);

applyAppearanceEarly();
followEntry(locale);

/** What a failure says, by language and by the English of it: put in place by the build, for no language can be loaded then. */
declare const __FAILURE_WORDS__: Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Where the app's script, or what it needs to run, does not come, says so instead of showing an empty page for good. */
export function followEntry(locale: string): void {
  const msg = ((text: string) => __FAILURE_WORDS__[locale]?.[text] ?? text) as Messages['msg'];
  const say = ({ target }: Event): void => {
    // What others put into the page, as extensions do, is none of ours.
    if (target === null || target !== document.querySelector('script[type=module]')) return;
    document.documentElement.lang = locale;
    document.getElementById('q-app')?.replaceChildren(createFailure({ msg }, () => location.reload()));
  };
  // An element's error does not bubble.
  window.addEventListener('error', say, true);
}
