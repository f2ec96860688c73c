import type { Messages } from '../../i18n/i18n.ts';
import type { Route } from '../router/routes.ts';

/** Returns the document title of a route. A page that has a better title (a channel's name) sets it itself. */
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
    case 'notificationsRouter':
      return `${msg('Notifications')} · ${brandName}`;
    case 'closeRouter':
      return brandName;
    case 'notFound':
      return `${msg('Page not found')} · ${brandName}`;
  }
}

/** Document title: the page's title after the number of unread posts. */
export interface DocumentTitle {
  /**
   * Sets the page's title and announces it to screen readers, which do not detect a page change without a document
   * load.
   */
  announce(title: string): void;
  /** Sets a number before the page's title, '' for none. It is not announced. */
  setUnreadLabel(label: string): void;
}

const LIVE_REGION_ID = 'changer-said';

export function createDocumentTitle(): DocumentTitle {
  let pageTitle = document.title;
  let unreadLabel = '';
  const write = (): void => {
    document.title = unreadLabel === '' ? pageTitle : `(${unreadLabel}) ${pageTitle}`;
  };
  return {
    announce(title) {
      const liveRegion = document.getElementById(LIVE_REGION_ID);
      pageTitle = title;
      write();
      // The first title is that of the document. The screen reader has already announced it.
      if (liveRegion === null) document.body.append(createLiveRegion());
      else liveRegion.textContent = title;
    },
    setUnreadLabel(label) {
      unreadLabel = label;
      write();
    },
  };
}

/** Creates the hidden element whose changed text a screen reader announces. */
function createLiveRegion(): HTMLElement {
  const liveRegion = document.createElement('div');
  liveRegion.id = LIVE_REGION_ID;
  liveRegion.className = 'shell-said';
  liveRegion.setAttribute('aria-live', 'polite');
  return liveRegion;
}
