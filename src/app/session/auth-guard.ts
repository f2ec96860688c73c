import type { Session } from '../../api/types.ts';
import type { Host } from '../../platform/platform.ts';

/** How long a navigation waits for a sign-in, in ms; it then goes on, and the sign-in too. */
export const PATIENCE = 1500;

export interface GuardOptions<Answer> {
  readonly host: Pick<Host, 'launchData'>;
  readonly session: Session;
  /** Signs in with launch data; gives the token. */
  readonly signIn: (launchData: string) => Promise<Answer & { readonly token: string }>;
  readonly signedIn: (answer: Answer) => void;
  readonly failed: (error: unknown) => void;
  /** Whether the one who was launched has been here: then what the device keeps is shown meanwhile. */
  readonly isKnown: () => boolean;
}

/**
 * Auth guard of specification 4, called before every navigation. Its promise is kept within PATIENCE and never broken: it may
 * hold a navigation up, never block it, and does not even that where there is something to show. Navigations that overlap
 * share one sign-in.
 */
export function createGuard<Answer>({
  host,
  session,
  signIn,
  signedIn,
  failed,
  isKnown,
}: GuardOptions<Answer>): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  const attempt = async (launchData: string): Promise<void> => {
    let answer: Answer & { readonly token: string };
    try {
      answer = await signIn(launchData);
    } catch (error) {
      console.error('Error during Telegram authentication:', error);
      session.clear();
      return failed(error);
    }
    // The reader signed out meanwhile: what comes now is not wanted any more.
    if (host.launchData() !== launchData) return;
    session.store(answer.token);
    signedIn(answer);
  };
  return async () => {
    const launchData = host.launchData();
    if (launchData === null || session.token() !== null) return;
    underWay ??= attempt(launchData).finally(() => {
      underWay = null;
    });
    if (isKnown()) return;
    await Promise.race([underWay, new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  };
}
