/*
 * Day headings: corrects the headings of days in a server-rendered page (part of src/app/inline/handover.ts), because
 * the server does not know the reader's time zone. The style sheet (server/publishing/pages/days.css) hides posts that
 * a heading may move until the headings are at their final positions. The text of a heading is set later, because the
 * first use of Intl is slow.
 */
import { dayName, isSameDay, regionalLocale } from '../../i18n/format.ts';

const POST_SELECTOR = '[data-days] article';

/** Moves the headings to the posts that start a day in the reader's time zone. A new heading has no text yet. */
export function placeDayHeadings(page: ParentNode): void {
  let previousDate: number | undefined;
  for (const article of page.querySelectorAll<HTMLElement>(POST_SELECTOR)) {
    const date = dateOf(article);
    const startsDay = !isSameDay(previousDate, date);
    const heading = article.querySelector('.day');
    if (!startsDay) heading?.remove();
    else if (heading === null) article.prepend(Object.assign(document.createElement('h2'), { className: 'day' }));
    article.classList.toggle('day-start', startsDay);
    previousDate = date;
  }
  for (const list of page.querySelectorAll('[data-days]')) list.classList.add('placed');
}

/** Writes the headings in the reader's language and time zone. */
export function writeDayHeadings(page: ParentNode, language: string): void {
  for (const article of page.querySelectorAll<HTMLElement>(`${POST_SELECTOR}.day-start`)) {
    const name = dayName(regionalLocale(language), dateOf(article), Date.now());
    article.querySelector('.day')?.replaceChildren(name);
  }
}

/** Returns the date of a post, unix seconds. */
const dateOf = ({ dataset }: HTMLElement): number => Number(dataset.date);
