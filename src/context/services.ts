import { createContext, useContext } from 'react';
import type { FeedsApi } from '../api/feeds-api.ts';
import type { OperatorApi } from '../api/operator-api.ts';
import type { Client } from '../api/types.ts';
import type { BackgroundSound } from '../components/media/background-audio.ts';
import type { Channels } from '../data/model/client.ts';
import type { Cell, Readable } from '../lib/signal.ts';
import type { Host } from '../platform/platform.ts';
import type { Appearance } from '../theme/appearance.ts';

/** Where links lead: inside the app paths stay paths; on a foreign page they lead to the app's own address. */
export interface Site {
  /** '' in the app, the API's origin on a foreign page. */
  readonly base: string;
  readonly embedded: boolean;
  /** Hashtags lead to the search in their own channel: on its page. */
  readonly ownTags?: boolean;
  readonly brandName: string;
  /** Fits a style sheet to the page; absent in the app, which is the page. */
  fit?(css: string): string;
  /** The mini-app's https://t.me address, null where there is none. */
  readonly botApp: string | null;
  /** Whether a newer build of the app is to be had by a reload; absent on a foreign page. */
  readonly newer?: Readable<boolean>;
  /** The look that the reader chose; absent on a foreign page. */
  readonly appearance?: Appearance;
  /** Goes to a path of the app; on a foreign page opens it in a new tab. */
  navigate(path: string, options?: { replace?: boolean }): void;
  /** Goes back within the app; to `otherwise` where the app was entered here. Absent on a foreign page. */
  back?(otherwise: string): void;
  /** Names what the page shows in the document's title; absent on a foreign page. */
  setTitle?(title: string): void;
  /** The sound that plays on though its post has gone; absent on a foreign page. */
  readonly sound?: Cell<BackgroundSound | null>;
  /** Puts a number of unread posts before the document's title, '' for none; absent on a foreign page. */
  setUnread?(this: void, label: string): void;
  /** The browser's offer to install the app (a beforeinstallprompt event); null while there is none. Absent on a foreign page. */
  readonly install?: Readable<Event | null>;
  /** Chooses the interface's language for this reader; absent on a foreign page. */
  setLocale?(locale: string): void;
  /** Shows in an image what this device keeps of it; rejects where it keeps nothing. Absent on a foreign page. */
  showKept?(this: void, image: HTMLImageElement): Promise<void>;
  /** True where the session ended and only the reader can sign in again; absent on a foreign page. */
  readonly sessionEnded?: Readable<boolean>;
  /** Ends the session and forgets what is kept of the reader; absent on a foreign page. */
  signOut?(): Promise<void>;
  /** Loads the calls that only operators make; absent on a foreign page. */
  operator?(): Promise<OperatorApi>;
  /** Loads the calls about feeds from elsewhere; absent on a foreign page. */
  feeds?(): Promise<FeedsApi>;
  /** Reaches the API for calls that no other part makes; absent on a foreign page. */
  readonly client?: Client;
}

/** What a page works with; one object in the app, one per API address on a foreign page. */
export interface Services {
  readonly channels: Channels;
  readonly host: Host;
  readonly site: Site;
}

export const ServicesContext = createContext<Services | null>(null);

/** Gives the services of the tag this component lives in; throws outside one. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('useServices: no ServicesContext above; elements/define-element.ts provides it');
  return services;
}
