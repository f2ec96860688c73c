/** Early start-up script: runs inline in the head of the page, before any other file loads. */
import '../../platform/telegram/early-events.ts';
import type { Messages } from '../../i18n/i18n.ts';
import { directionOf } from '../../i18n/locale.ts';
import { earlyLaunchUser } from '../../platform/telegram/early-launch.ts';
import { applyAppearanceEarly } from '../appearance-preference.ts';
import { initialLocale } from '../locale-preference.ts';
import { createLoadError } from '../shell/load-error.ts';
import { isFirstVisit, RETURNING_VISITOR_CLASS } from './first-visit.ts';

// Must run before any other code writes to storage.
document.documentElement.classList.toggle(RETURNING_VISITOR_CLASS, !isFirstVisit());

// Sets the text direction before the first paint, so that server-rendered content is on the correct side for the
// reader's language.
const locale = initialLocale(earlyLaunchUser().language_code);
document.documentElement.dir = directionOf(locale);

applyAppearanceEarly();
watchEntryScript(locale);

/**
 * Messages of load failures, by language and then by English text. The build inserts them, because no language file can
 * be loaded at that time.
 */
declare const __LOAD_ERROR_MESSAGES__: Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * Shows an error message if the app's script, or a module that it needs, fails to load; otherwise the page would stay
 * empty.
 */
function watchEntryScript(language: string): void {
  const msg = ((text: string) => __LOAD_ERROR_MESSAGES__[language]?.[text] ?? text) as Messages['msg'];
  const showLoadError = ({ target }: Event): void => {
    // Ignores other elements, for example those that browser extensions add to the page.
    if (target === null || target !== document.querySelector('script[type=module]')) return;
    document.documentElement.lang = language;
    document.getElementById('q-app')?.replaceChildren(createLoadError({ msg }, () => location.reload()));
  };
  // An element's error event does not bubble, so the listener uses the capture phase.
  window.addEventListener('error', showLoadError, true);
}
