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

/** Whose app this is. `icons` stand in for the product's own, by path; `mark` tells one logo's from another's. */
export interface Brand {
  readonly name: string;
  readonly color: string;
  readonly logo: { readonly mark: string; readonly icons: ReadonlyMap<string, Buffer> } | null;
  /** An operator chose it, over the settings. */
  readonly changed: boolean;
}

/** The brand that stands; the same object until it changes. */
export interface Brands {
  get(): Brand;
  /** Looks whether another process changed it, every two seconds at most. */
  follow(): Promise<void>;
  /** Throws a Refusal for what cannot be a brand. */
  change(change: BrandChange, actOf: ActOf): Promise<Brand>;
  /** Goes back to the settings. */
  reset(actOf: ActOf): Promise<Brand>;
}

/** Returns the act that is written with a change; `name` is the brand's name after it. */
type ActOf = (name: string) => NewAct;

const LOOK_MS = 2000;
const FACT = 'brand';
const LOGO_FACT = 'brand-logo';

const KeptBrand = Type.Object({ name: Type.String(), color: Type.String(), mark: Type.Union([Type.String(), Type.Null()]) });

/** Opens the brand: what an operator chose, kept in the store, else the settings'. `now` is milliseconds. */
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
      if (Math.abs(now() - looked) < LOOK_MS) return;
      // Without the store the brand that is known stands: the shell needs nothing else of it.
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

/** The logo is kept before the brand that names it, for other processes look at the brand alone. */
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
