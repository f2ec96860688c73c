import type { Messages } from '../i18n/i18n.ts';
import type { Route } from './routes.ts';

/** The document's title for a page; a page that knows better (a channel's name) says so itself. */
export function titleOf({ name }: Route, { msg }: Messages, brandName: string): string {
  switch (name) {
    case 'mainRouter':
      return brandName;
    case 'channelRouter':
      return `${msg('Channel')} · ${brandName}`;
    case 'changerRouter':
      return `${msg('Dial')} · ${brandName}`;
    case 'testRouter':
      return `${msg('Check')} · ${brandName}`;
    case 'closeRouter':
      return brandName;
    case 'notFound':
      return `${msg('Page not found')} · ${brandName}`;
  }
}

/** Sets the document's title, and says it to a screen reader, which hears nothing of a page that changes without a load. */
export function announce(title: string): void {
  const isFirst = document.getElementById('changer-said') === null;
  document.title = title;
  const said = document.getElementById('changer-said') ?? document.body.appendChild(createSaid());
  if (!isFirst) said.textContent = title;
}

function createSaid(): HTMLElement {
  const said = document.createElement('div');
  said.id = 'changer-said';
  said.className = 'shell-said';
  said.setAttribute('aria-live', 'polite');
  return said;
}
