import { type Area, type AreaOptions, createArea } from './create-client.ts';
import { ACTING } from './write-support.ts';

/** Makes the data area of a reader without an account: what is done stays on the device. Nothing is asked for until it is shown. */
export function createAnonymousChannels(options: AreaOptions): Area {
  return createArea(options, null, ACTING, null);
}
