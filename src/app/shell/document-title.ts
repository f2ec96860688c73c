import type { Messages } from '../../i18n/i18n.ts';
import type { Route } from '../router/routes.ts';

/** Document title of a page. A page that has a better title (a channel's name) sets it itself. */
export function titleOfRoute({ name }: Route, { msg }: Messages, brandName: string): string {
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

/** Document title: the page's title after the number of unread posts. */
export interface DocumentTitle {
  /** Sets the page's title and announces it to a screen reader, which does not notice a page change without a document load. */
  announce(title: string): void;
  /** Sets a number before the page's title, '' for none. It is not announced. */
  setUnreadLabel(label: string): void;
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
      const liveRegion = document.getElementById('changer-said') ?? document.body.appendChild(createLiveRegion());
      if (!isFirst) liveRegion.textContent = title;
    },
    setUnreadLabel(label) {
      unread = label;
      write();
    },
  };
}

function createLiveRegion(): HTMLElement {
  const liveRegion = document.createElement('div');
  liveRegion.id = 'changer-said';
  liveRegion.className = 'shell-said';
  liveRegion.setAttribute('aria-live', 'polite');
  return liveRegion;
}
