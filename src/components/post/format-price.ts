import { type Messages, useMsg } from '../../i18n/i18n.ts';

/**
 * Decimal digits of ISO 4217 currencies whose smallest unit is not a hundredth, as Telegram counts them. The digits
 * that `Intl` uses by default differ from these.
 */
const FRACTION_DIGITS: Readonly<Record<string, number>> = {
  ...{ CLP: 0, ISK: 0, JPY: 0, KRW: 0, PYG: 0, UGX: 0, VND: 0, XAF: 0, XOF: 0 },
  ...{ BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
};

/**
 * Price format: returns a price as localized text. `amount` is in the currency's smallest unit; `XTR` is Telegram
 * Stars.
 */
export function usePrice(amount: number, currency: string): string {
  return priceText(useMsg(), amount, currency);
}

/** Returns an amount of Telegram Stars: "250 stars". */
export const starCount = (messages: Messages, count: number): string =>
  messages.plural(count, messages.msg('one: # star | other: # stars'));

function priceText(messages: Messages, amount: number, currency: string): string {
  if (currency === 'XTR') return starCount(messages, amount);
  const digits = (Object.hasOwn(FRACTION_DIGITS, currency) ? FRACTION_DIGITS[currency] : undefined) ?? 2;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  const value = amount / 10 ** digits;
  // `Intl` accepts any three letters as a currency and throws on anything else.
  if (/^[A-Z]{3}$/.test(currency))
    return new Intl.NumberFormat(messages.localeTag(), { style: 'currency', currency, ...options }).format(value);
  return `${new Intl.NumberFormat(messages.localeTag(), options).format(value)} ${currency}`;
}
