// Services context: the data layer, the host and the site, provided to all components of a page.

import { createContext, useContext } from 'react';
import type { FeedsApi } from '../api/feeds-api.ts';
import type { OperatorApi } from '../api/operator-api.ts';
import type { HttpClient } from '../api/types.ts';
import type { BackgroundAudio } from '../components/media/background-audio.ts';
import type { DataClient } from '../data/model/client.ts';
import type { Signal, WritableSignal } from '../lib/signal.ts';
import type { Host } from '../platform/platform.ts';
import type { Appearance } from '../theme/appearance.ts';

/**
 * The site that contains the page, and its navigation. In the app, links are paths; on a third-party page, they are URLs
 * of the app's own site.
 */
export interface Environment {
  /** '' in the app, the API's origin on a third-party page. */
  readonly baseUrl: string;
  readonly embedded: boolean;
  /** True on a channel's page: a hashtag opens a search within that channel. */
  readonly scopedHashtags?: boolean;
  readonly brandName: string;
  /** Adapts a style sheet to the third-party page; absent in the app, whose document is our own. */
  adaptStyleSheet?(css: string): string;
  /** The mini-app's https://t.me URL, or null without one. */
  readonly botApp: string | null;
  /** True when a reload would load a newer build of the app; absent on a third-party page. */
  readonly updateAvailable?: Signal<boolean>;
  /** The appearance settings of the reader; absent on a third-party page. */
  readonly appearance?: Appearance;
  /** Navigates to a path of the app; on a third-party page opens it in a new tab. */
  navigate(path: string, options?: { replace?: boolean }): void;
  /**
   * Goes back within the app, or navigates to the path `otherwise` if this page was the first of the visit. Absent on a
   * third-party page.
   */
  back?(otherwise: string): void;
  /** Sets the title of the page in the document's title; absent on a third-party page. */
  setTitle?(title: string): void;
  /** The sound that continues to play after its post was unmounted; absent on a third-party page. */
  readonly backgroundSound?: WritableSignal<BackgroundAudio | null>;
  /** Shows the number of unread posts before the document's title, '' for none; absent on a third-party page. */
  setUnreadLabel?(this: void, label: string): void;
  /**
   * The browser's install prompt for the app (a `beforeinstallprompt` event); null while there is none. Absent on a
   * third-party page.
   */
  readonly installPrompt?: Signal<Event | null>;
  /** Sets the language of the interface for this reader; absent on a third-party page. */
  setLocale?(locale: string): void;
  /** Returns the root of the page that is visible until the app has rendered it; absent on a third-party page. */
  prerenderedRoot?(this: void): ShadowRoot | null;
  /** Shows the offline copy of an image; rejects if this device has no copy. Absent on a third-party page. */
  showOfflineImage?(this: void, image: HTMLImageElement): Promise<void>;
  /** True when the session ended and only the reader can sign in again; absent on a third-party page. */
  readonly sessionEnded?: Signal<boolean>;
  /** Ends the session and deletes the data stored about the reader; absent on a third-party page. */
  signOut?(): Promise<void>;
  /** Loads the operator API; absent on a third-party page. */
  loadOperatorApi?(): Promise<OperatorApi>;
  /** Loads the API of reader-added feeds; absent on a third-party page. */
  loadFeedsApi?(): Promise<FeedsApi>;
  /** HTTP client for calls that only one part of the app makes; absent on a third-party page. */
  readonly httpClient?: HttpClient;
}

/** Services of a page: one object in the app, one per API address on a third-party page. */
export interface AppServices {
  readonly dataClient: DataClient;
  readonly host: Host;
  readonly environment: Environment;
}

export const ServicesContext = createContext<AppServices | null>(null);

/** Returns the services of the tag that contains this component; throws outside a tag. */
export function useServices(): AppServices {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('useServices: no ServicesContext above; elements/define-element.ts provides it');
  return services;
}
