/** A site's leave to show private channels. `origin` is the site's, as https://club.example; `at` is unix seconds. */
export interface SiteKey {
  readonly id: string;
  readonly origin: string;
  /** Ids of its channels that are still here. */
  readonly channels: readonly string[];
  readonly at: number;
}

/** The store's part of keys for sites. A channel that is removed leaves its keys for good; a key without any is none. */
export interface SiteKeyStore {
  putSiteKey(key: SiteKey): Promise<void>;
  siteKey(id: string): Promise<SiteKey | null>;
  /** The newest first. */
  siteKeys(): Promise<SiteKey[]>;
  /** False where there is none. */
  dropSiteKey(id: string): Promise<boolean>;
}
