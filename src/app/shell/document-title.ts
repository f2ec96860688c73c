import type { Messages } from '../../i18n/i18n.ts';
import type { Route } from '../router/routes.ts';

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
      return `${msg('Check this app')} · ${brandName}`;
    case 'closeRouter':
      return brandName;
    case 'notFound':
      return `${msg('Page not found')} · ${brandName}`;
  }
}

/** The document's title: that of the page, after the number of unread posts. */
export interface DocumentTitle {
  /** Names the page, and says it to a screen reader, which hears nothing of a page that changes without a load. */
  announce(title: string): void;
  /** Puts a number before the page's title, '' for none; it is not read aloud. */
  setUnread(label: string): void;
}

export function createDocumentTitle(): DocumentTitle {
  let page = document.title;
  let unread = '';
  const write = (): void => {
    document.title = unread === '' ? page : `(${unread}) ${page}`;
  };
  return {
    announce(title) {
      const isFirst = document.getElementById('changer-said') === null;
      page = title;
      write();
      const said = document.getElementById('changer-said') ?? document.body.appendChild(createSaid());
      if (!isFirst) said.textContent = title;
    },
    setUnread(label) {
      unread = label;
      write();
    },
  };
}

function createSaid(): HTMLElement {
  const said = document.createElement('div');
  said.id = 'changer-said';
  said.className = 'shell-said';
  said.setAttribute('aria-live', 'polite');
  return said;
}
