/** Branding: the app's name, colour and logo, from the settings or from an operator. */
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
  /** An operator chose it; it overrides the settings. */
  readonly changed: boolean;
}

/** Current brand: the same object until it changes. */
export interface BrandStore {
  get(): ActiveBrand;
  /** Checks whether another process changed the brand, at most every two seconds. */
  refresh(): Promise<void>;
  /** Throws a `Refusal` if the brand is invalid. */
  change(change: BrandChange, actOf: CreateBrandAuditEntry): Promise<ActiveBrand>;
  /** Restores the brand of the settings. */
  reset(actOf: CreateBrandAuditEntry): Promise<ActiveBrand>;
}

/** Creates the audit event of a change. `name` is the brand's name after it. */
type CreateBrandAuditEntry = (name: string) => NewAuditEntry;

const REFRESH_INTERVAL_MS = 2000;
const BRAND_SETTING = 'brand';
const LOGO_SETTING = 'brand-logo';

const StoredBrand = Type.Object({ name: Type.String(), color: Type.String(), mark: Type.Union([Type.String(), Type.Null()]) });

/** Loads the brand: an operator's choice from the store, else the settings'. `now` is milliseconds. */
export async function openBrandStore(store: Store, config: Config, now: () => number): Promise<BrandStore> {
  const own: ActiveBrand = { ...config.brand, logo: null, changed: false };
  let held = { fact: null as string | null, brand: own };
  let looked = now();

  async function look(): Promise<void> {
    looked = now();
    const fact = await store.setting(BRAND_SETTING);
    if (fact !== held.fact) held = { fact, brand: fact === null ? own : await parseStoredBrand(fact, store, held.brand) };
  }
  await look();
  return {
    get: () => held.brand,
    async refresh() {
      if (Math.abs(now() - looked) < REFRESH_INTERVAL_MS) return;
      // If the store fails, the known brand remains: the shell needs no other data of the store.
      await withTimeout(look()).catch(nullOnOutage);
    },
    async change(change, actOf) {
      await saveBrand(change, held.brand, store, actOf);
      await look();
      return held.brand;
    },
    async reset(actOf) {
      await store.withAuditEntries([actOf(own.name)]).deleteSetting(BRAND_SETTING);
      await store.deleteSetting(LOGO_SETTING);
      await look();
      return held.brand;
    },
  };
}

async function parseStoredBrand(fact: string, store: Store, before: ActiveBrand): Promise<ActiveBrand> {
  const { name, color, mark } = Value.Parse(StoredBrand, JSON.parse(fact));
  return { name, color, changed: true, logo: mark === null ? null : await loadLogoIcons(mark, store, before) };
}

async function loadLogoIcons(mark: string, store: Store, before: ActiveBrand): Promise<ActiveBrand['logo']> {
  if (before.logo?.mark === mark) return before.logo;
  const kept = await store.setting(LOGO_SETTING);
  return kept === null ? null : { mark, icons: await renderIcons(createLogo(Buffer.from(kept, 'base64'))) };
}

/** Stores the logo before the brand that refers to it, because other processes check only the brand. */
async function saveBrand(
  { name, color, logo }: BrandChange,
  before: ActiveBrand,
  store: Store,
  actOf: CreateBrandAuditEntry,
): Promise<void> {
  const kept = { name: validateBrandName(name.trim()), color: color.toLowerCase(), mark: before.logo?.mark ?? null };
  const sent: Logo | null = typeof logo === 'string' ? await decodeLogo(logo) : null;
  if (sent !== null) await store.putSetting(LOGO_SETTING, sent.png.toString('base64'));
  const mark = logo === undefined ? kept.mark : (sent?.mark ?? null);
  await store.withAuditEntries([actOf(kept.name)]).putSetting(BRAND_SETTING, JSON.stringify({ ...kept, mark }));
  if (mark === null) await store.deleteSetting(LOGO_SETTING);
}

function validateBrandName(name: string): string {
  if (!new RegExp(BRAND_NAME_PATTERN, 'u').test(name)) throw new HttpError(400, 'The name should have 1 to 60 characters.');
  const fault = describeBrandNameFault(name);
  if (fault !== null) throw new HttpError(400, `The name ${fault}`);
  return name;
}
