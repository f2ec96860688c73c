/** Branding: the app's name, colour and logo, from the settings or from an operator. */
import { setTimeout as delay } from 'node:timers/promises';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { BrandChange } from '../../contract/operator.ts';
import { BRAND_NAME_PATTERN, type Config, describeBrandNameFault } from '../config.ts';
import { HttpError } from '../http/errors.ts';
import { nullOnOutage } from '../lib/infrastructure-errors.ts';
import { withTimeout } from '../lib/time.ts';
import type { NewAuditEntry } from '../storage/ports/audit-log.ts';
import type { Store } from '../storage/ports/store.ts';
import { createLogo, decodeLogo, type Logo, renderIcons } from './logo.ts';

/** Brand of the app. `icons` replace the product's own icons, by path. `mark` identifies a logo's version. */
export interface ActiveBrand {
  readonly name: string;
  readonly color: string;
  readonly logo: { readonly mark: string; readonly icons: ReadonlyMap<string, Buffer> } | null;
  /** True if an operator chose it. It then overrides the settings. */
  readonly isCustomized: boolean;
}

/** Current brand: the same object until it changes. */
export interface BrandStore {
  get(): ActiveBrand;
  /** Checks whether another process changed the brand, at most every two seconds. */
  refresh(): Promise<void>;
  /**
   * Throws an `HttpError` if the brand is invalid. With a database that processes share, resolves when each process has the new
   * brand: a page that is loaded after it shows the new one.
   */
  change(change: BrandChange, createAuditEntry: CreateBrandAuditEntry): Promise<ActiveBrand>;
  /** Restores the brand of the settings. */
  reset(createAuditEntry: CreateBrandAuditEntry): Promise<ActiveBrand>;
}

/** Creates the audit event of a change. `name` is the brand's name after the change. */
type CreateBrandAuditEntry = (name: string) => NewAuditEntry;

const REFRESH_INTERVAL_MS = 2000;
const BRAND_SETTING = 'brand';
const LOGO_SETTING = 'brand-logo';

const StoredBrand = Type.Object({ name: Type.String(), color: Type.String(), mark: Type.Union([Type.String(), Type.Null()]) });

/**
 * Loads the brand: from the store if an operator chose one, otherwise from the settings. `now` returns milliseconds.
 */
export async function openBrandStore(store: Store, config: Config, now: () => number): Promise<BrandStore> {
  const fromSettings: ActiveBrand = { ...config.brand, logo: null, isCustomized: false };
  let current = { stored: null as string | null, brand: fromSettings };
  let checkedAt = now();

  async function reload(): Promise<void> {
    checkedAt = now();
    const stored = await store.setting(BRAND_SETTING);
    if (stored !== current.stored)
      current = { stored, brand: stored === null ? fromSettings : await parseStoredBrand(stored, store, current.brand) };
  }
  async function publish(): Promise<ActiveBrand> {
    await reload();
    if (config.databaseUrl !== null) await delay(REFRESH_INTERVAL_MS);
    return current.brand;
  }
  await reload();
  return {
    get: () => current.brand,
    async refresh() {
      if (Math.abs(now() - checkedAt) < REFRESH_INTERVAL_MS) return;
      // If the store fails, the known brand remains: the shell needs no other data of the store.
      await withTimeout(reload()).catch(nullOnOutage);
    },
    async change(change, createAuditEntry) {
      await saveBrand(change, current.brand, store, createAuditEntry);
      return publish();
    },
    async reset(createAuditEntry) {
      await store.withAuditEntries([createAuditEntry(fromSettings.name)]).deleteSetting(BRAND_SETTING);
      await store.deleteSetting(LOGO_SETTING);
      return publish();
    },
  };
}

async function parseStoredBrand(stored: string, store: Store, previous: ActiveBrand): Promise<ActiveBrand> {
  const { name, color, mark } = Value.Parse(StoredBrand, JSON.parse(stored));
  return { name, color, isCustomized: true, logo: mark === null ? null : await loadLogoIcons(mark, store, previous) };
}

/**
 * Loads the logo. Its mark is the hash of the stored PNG, which differs from the brand's `mark` if saving a brand failed
 * after its logo was stored: clients cache icons by the mark.
 */
async function loadLogoIcons(mark: string, store: Store, previous: ActiveBrand): Promise<ActiveBrand['logo']> {
  if (previous.logo?.mark === mark) return previous.logo;
  const png = await store.setting(LOGO_SETTING);
  if (png === null) return null;
  const logo = createLogo(Buffer.from(png, 'base64'));
  return { mark: logo.mark, icons: await renderIcons(logo) };
}

/** Stores the logo before the brand that refers to it, because other processes check only the brand. */
async function saveBrand(
  { name, color, logo }: BrandChange,
  previous: ActiveBrand,
  store: Store,
  createAuditEntry: CreateBrandAuditEntry,
): Promise<void> {
  const brand = { name: validateBrandName(name.trim()), color: color.toLowerCase(), mark: previous.logo?.mark ?? null };
  const newLogo: Logo | null = typeof logo === 'string' ? await decodeLogo(logo) : null;
  if (newLogo !== null) await store.putSetting(LOGO_SETTING, newLogo.png.toString('base64'));
  const mark = logo === undefined ? brand.mark : (newLogo?.mark ?? null);
  await store.withAuditEntries([createAuditEntry(brand.name)]).putSetting(BRAND_SETTING, JSON.stringify({ ...brand, mark }));
  if (mark === null) await store.deleteSetting(LOGO_SETTING);
}

function validateBrandName(name: string): string {
  if (!new RegExp(BRAND_NAME_PATTERN, 'u').test(name)) throw new HttpError(400, 'The name must have 1 to 60 characters.');
  const fault = describeBrandNameFault(name);
  if (fault !== null) throw new HttpError(400, `The name ${fault}`);
  return name;
}
