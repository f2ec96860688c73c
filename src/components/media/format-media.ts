import type { Messages } from '../../i18n/i18n.ts';

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const;

/** Formats a file size: "3.4 MB". A megabyte has 1024 kB here, as in Telegram, its limits and our settings. */
export function sizeText(messages: Messages, bytes: number): string {
  const largeUnitIndex = bytes < 1024 ** 3 ? 1 : 2;
  const unitIndex = bytes < 1024 ** 2 ? 0 : largeUnitIndex;
  const value = Math.max(1, bytes / 1024 ** (unitIndex + 1));
  const maximumFractionDigits = value < 10 && unitIndex > 0 ? 1 : 0;
  const options = { style: 'unit', unit: UNITS[unitIndex], unitDisplay: 'short', maximumFractionDigits } as const;
  return new Intl.NumberFormat(messages.localeTag(), options).format(value);
}

/** Formats a duration in seconds as a clock: "3:07". */
export function clockText(seconds: number): string {
  const totalSeconds = Math.round(seconds);
  const pad = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(totalSeconds / 3600);
  const minutes = Math.floor((totalSeconds % 3600) / 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(totalSeconds % 60)}` : `${minutes}:${pad(totalSeconds % 60)}`;
}
