import type { TokenStorage } from '../../api/types.ts';
import type { Host } from '../../platform/platform.ts';

/** Maximum time that a navigation waits for a sign-in, ms. Afterwards both continue. */
export const SIGN_IN_TIMEOUT_MS = 1500;

export interface AuthGuardOptions<Result> {
  readonly host: Pick<Host, 'launchData'>;
  readonly tokenStorage: TokenStorage;
  /** Signs in with launch data, and resolves with the token. */
  readonly signIn: (launchData: string) => Promise<Result & { readonly token: string }>;
  readonly onSignedIn: (result: Result) => void;
  readonly onFailed: (error: unknown) => void;
  /** Returns true if this device has stored data of the launched reader. It is then shown during the sign-in. */
  readonly isKnownReader: () => boolean;
}

/**
 * Auth guard (specification 4): a function that is called before every navigation, and signs in if there is launch data
 * and no token. Its promise resolves within SIGN_IN_TIMEOUT_MS and never rejects: it may delay a navigation, but never
 * blocks it. It does not delay a navigation if there is stored data to show. Overlapping navigations share one sign-in.
 */
export function createAuthGuard<Result>({
  host,
  tokenStorage,
  signIn,
  onSignedIn,
  onFailed,
  isKnownReader,
}: AuthGuardOptions<Result>): () => Promise<void> {
  let pendingSignIn: Promise<void> | null = null;
  const attempt = async (launchData: string): Promise<void> => {
    let result: Result & { readonly token: string };
    try {
      result = await signIn(launchData);
    } catch (error) {
      console.error('Error during Telegram authentication:', error);
      tokenStorage.clear();
      return onFailed(error);
    }
    // Discards the result if the reader signed out in the meantime.
    if (host.launchData() !== launchData) return;
    tokenStorage.store(result.token);
    onSignedIn(result);
  };
  return async () => {
    const launchData = host.launchData();
    if (launchData === null || tokenStorage.token() !== null) return;
    pendingSignIn ??= attempt(launchData).finally(() => {
      pendingSignIn = null;
    });
    if (isKnownReader()) return;
    await Promise.race([pendingSignIn, new Promise((resolve) => setTimeout(resolve, SIGN_IN_TIMEOUT_MS))]);
  };
}
