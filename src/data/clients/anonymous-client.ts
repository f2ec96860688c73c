import { type Area, type AreaOptions, createArea } from './create-client.ts';
import { ACTING } from './write-support.ts';

/**
 * Creates the data layer of an anonymous reader: changes remain on the device. It sends no request until something is shown.
 */
export function createAnonymousChannels(options: AreaOptions): Area {
  return createArea(options, null, ACTING, null);
}
