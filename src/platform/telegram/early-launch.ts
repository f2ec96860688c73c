/*
 * Early launch: reads launch parameters of Telegram from the URL, or from this tab's storage. The inline scripts need
 * them before the app starts, so these functions change neither.
 */
import { LAUNCH_DATA_PARAM, LAUNCH_PARAM_PREFIX, readStoredLaunch } from './launch-storage.ts';

/** User of the launch data. The values are unverified. */
interface EarlyLaunchUser {
  readonly id?: number | undefined;
  readonly language_code?: string | undefined;
}

/** Returns a launch parameter; null if there is none. */
export function earlyLaunchParam(name: string): string | null {
  const start = location.hash.indexOf(LAUNCH_PARAM_PREFIX);
  const text = start < 0 ? readStoredLaunch() : location.hash.slice(start);
  return new URLSearchParams(text).get(name);
}

/** Returns the user of the launch data. Malformed fields are missing. */
export function earlyLaunchUser(): EarlyLaunchUser {
  try {
    const launchData = new URLSearchParams(earlyLaunchParam(LAUNCH_DATA_PARAM) ?? '');
    const { id, language_code }: Record<string, unknown> = JSON.parse(launchData.get('user') ?? '{}');
    return {
      ...(typeof id === 'number' && { id }),
      ...(typeof language_code === 'string' && { language_code }),
    };
  } catch {
    // The user is not valid JSON. The app's own parser of the launch data handles this later.
    return {};
  }
}
