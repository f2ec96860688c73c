/** Branding: the app's name, colour and logo, from the settings or from an operator. */
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { BrandChange } from '../../contract/operator.ts';
import { BRAND_NAME, type Config, faultOfName } from '../config.ts';
import { Refusal } from '../http/errors.ts';
import { orTrouble } from '../lib/infrastructure-errors.ts';
import { soon } from '../lib/time.ts';
import type { NewAct } from '../storage/ports/audit-log.ts';
import type { Store } from '../storage/ports/store.ts';
import { drawIcons, type Logo, logoOf, readLogo } from './logo.ts';

/** Brand of the app. `icons` replace the product's own icons, by path. `mark` identifies a logo's version. */
export interface Brand {
  readonly name: string;
  readonly color: string;
  readonly logo: { readonly mark: string; readonly icons: ReadonlyMap<string, Buffer> } | null;
  /** An operator chose it; it overrides the settings. */
  readonly changed: boolean;
}

/** Current brand: the same object until it changes. */
export interface Brands {
  get(): Brand;
  /** Checks whether another process changed the brand, at most every two seconds. */
  follow(): Promise<void>;
  /** Throws a `Refusal` if the brand is invalid. */
  change(change: BrandChange, actOf: ActOf): Promise<Brand>;
  /** Restores the brand of the settings. */
  reset(actOf: ActOf): Promise<Brand>;
}

/** Creates the audit event of a change. `name` is the brand's name after it. */
type ActOf = (name: string) => NewAct;

const REFRESH_INTERVAL_MS = 2000;
const FACT = 'brand';
const LOGO_FACT = 'brand-logo';

const KeptBrand = Type.Object({ name: Type.String(), color: Type.String(), mark: Type.Union([Type.String(), Type.Null()]) });

/** Loads the brand: an operator's choice from the store, else the settings'. `now` is milliseconds. */
export async function openBrands(store: Store, config: Config, now: () => number): Promise<Brands> {
  const own: Brand = { ...config.brand, logo: null, changed: false };
  let held = { fact: null as string | null, brand: own };
  let looked = now();

  async function look(): Promise<void> {
    looked = now();
    const fact = await store.fact(FACT);
    if (fact !== held.fact) held = { fact, brand: fact === null ? own : await readBrand(fact, store, held.brand) };
  }
  await look();
  return {
    get: () => held.brand,
    async follow() {
      if (Math.abs(now() - looked) < REFRESH_INTERVAL_MS) return;
      // If the store fails, the known brand remains: the shell needs no other data of the store.
      await soon(look()).catch(orTrouble);
    },
    async change(change, actOf) {
      await keep(change, held.brand, store, actOf);
      await look();
      return held.brand;
    },
    async reset(actOf) {
      await store.withActs([actOf(own.name)]).dropFact(FACT);
      await store.dropFact(LOGO_FACT);
      await look();
      return held.brand;
    },
  };
}

async function readBrand(fact: string, store: Store, before: Brand): Promise<Brand> {
  const { name, color, mark } = Value.Parse(KeptBrand, JSON.parse(fact));
  return { name, color, changed: true, logo: mark === null ? null : await readIcons(mark, store, before) };
}

async function readIcons(mark: string, store: Store, before: Brand): Promise<Brand['logo']> {
  if (before.logo?.mark === mark) return before.logo;
  const kept = await store.fact(LOGO_FACT);
  return kept === null ? null : { mark, icons: await drawIcons(logoOf(Buffer.from(kept, 'base64'))) };
}

/** Stores the logo before the brand that refers to it, because other processes check only the brand. */
async function keep({ name, color, logo }: BrandChange, before: Brand, store: Store, actOf: ActOf): Promise<void> {
  const kept = { name: checkName(name.trim()), color: color.toLowerCase(), mark: before.logo?.mark ?? null };
  const sent: Logo | null = typeof logo === 'string' ? await readLogo(logo) : null;
  if (sent !== null) await store.putFact(LOGO_FACT, sent.png.toString('base64'));
  const mark = logo === undefined ? kept.mark : (sent?.mark ?? null);
  await store.withActs([actOf(kept.name)]).putFact(FACT, JSON.stringify({ ...kept, mark }));
  if (mark === null) await store.dropFact(LOGO_FACT);
}

function checkName(name: string): string {
  if (!new RegExp(BRAND_NAME, 'u').test(name)) throw new Refusal(400, 'The name should have 1 to 60 characters.');
  const fault = faultOfName(name);
  if (fault !== null) throw new Refusal(400, `The name ${fault}`);
  return name;
}
