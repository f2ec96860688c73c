import type { Place } from '../../../contract/post.ts';
import { defined, filledField, isRaw, numberField } from '../../lib/unknown-fields.ts';

/** Reads a location in degrees; null for what is no place on earth. */
export const readPlace = (raw: unknown): Place | null => {
  const [latitude, longitude] = isRaw(raw) ? [numberField(raw, 'latitude'), numberField(raw, 'longitude')] : [];
  if (latitude === undefined || longitude === undefined) return null;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
};

/** Reads a venue: a location with a name and an address. */
export const readVenue = (raw: unknown): Place | null => {
  const place = isRaw(raw) ? readPlace(raw.location) : null;
  if (!isRaw(raw) || place === null) return null;
  return defined<Place>({ ...place, title: filledField(raw, 'title'), address: filledField(raw, 'address') });
};
