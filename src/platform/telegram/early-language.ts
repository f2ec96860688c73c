import { LAUNCH_KEY } from '../../lib/storage-keys.ts';
import { LAUNCH_DATA_PARAM } from './launch-storage.ts';

/**
 * Early language: returns the unverified language of the launch data's user, from the URL or from this tab's storage.
 * The inline script needs it before the app starts, so this function changes neither.
 */
export function earlyLanguage(): string | null {
  try {
    const { hash } = location;
    const launchParams = new URLSearchParams(
      hash.includes(LAUNCH_DATA_PARAM) ? hash.slice(1) : (sessionStorage.getItem(LAUNCH_KEY) ?? ''),
    );
    const user: unknown = JSON.parse(new URLSearchParams(launchParams.get(LAUNCH_DATA_PARAM) ?? '').get('user') ?? '{}');
    const language: unknown = Reflect.get(Object(user), 'language_code');
    return typeof language === 'string' ? language : null;
  } catch {
    // Storage is blocked, or the user is not valid JSON. The app's own parser of the launch data handles this later.
    return null;
  }
}
