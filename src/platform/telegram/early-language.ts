import { LAUNCH_KEY } from '../../lib/storage-keys.ts';
import { LAUNCH_DATA_PARAM } from './launch-storage.ts';

/**
 * Returns the unverified language of the launch data's user, from the URL or from this tab's storage, without changing
 * either.
 */
export function earlyLanguage(): string | null {
  try {
    const { hash } = location;
    const params = new URLSearchParams(
      hash.includes(LAUNCH_DATA_PARAM) ? hash.slice(1) : (sessionStorage.getItem(LAUNCH_KEY) ?? ''),
    );
    const user: unknown = JSON.parse(new URLSearchParams(params.get(LAUNCH_DATA_PARAM) ?? '').get('user') ?? '{}');
    const code: unknown = Reflect.get(Object(user), 'language_code');
    return typeof code === 'string' ? code : null;
  } catch {
    // Storage is blocked, or the user is not valid JSON. The app handles this later.
    return null;
  }
}
