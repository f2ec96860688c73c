import { type CoreDataClient, createDataClient, type DataClientOptions } from './create-client.ts';
import { writeSupport } from './write-support.ts';

/**
 * Creates the data layer of an anonymous reader: changes remain on the device. It sends no request until something is shown.
 */
export function createAnonymousClient(options: DataClientOptions): CoreDataClient {
  return createDataClient(options, null, writeSupport, null);
}
