/** Runs inline in the page's head, before anything is loaded. */
import '../host/early.ts';
import { earlyLanguage } from '../host/early-language.ts';
import { directionOf, pickLocale } from '../i18n/locale.ts';
import { applyAppearanceEarly } from './appearance.ts';
import { followEntry } from './entry.ts';
import { isFirstVisit, OWN } from './first-visit.ts';
import { chosenLocale } from './locale.ts';

// Before any part of it stores something.
document.documentElement.classList.toggle(OWN, !isFirstVisit());

// What is painted before any script already stands on the side where the reader's language will have it.
const locale = pickLocale([chosenLocale.read(), earlyLanguage(), ...navigator.languages]);
document.documentElement.dir = directionOf(locale);

applyAppearanceEarly();
followEntry(locale);
