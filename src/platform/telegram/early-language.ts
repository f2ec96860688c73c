import { DATA, KEPT } from './launch-storage.ts';

/** The unverified language of the launch data's user, from the address or kept by this tab; changes neither. */
export function earlyLanguage(): string | null {
  try {
    const { hash } = location;
    const params = new URLSearchParams(hash.includes(DATA) ? hash.slice(1) : (sessionStorage.getItem(KEPT) ?? ''));
    const user: unknown = JSON.parse(new URLSearchParams(params.get(DATA) ?? '').get('user') ?? '{}');
    const code: unknown = Reflect.get(Object(user), 'language_code');
    return typeof code === 'string' ? code : null;
  } catch {
    // Storage is refused, or the user is no JSON: the app says what is to be said.
    return null;
  }
}
