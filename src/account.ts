/* What a reader with an account takes, and an anonymous one does without: a chunk of its own. */
import { signIn } from '../contract/parse.ts';
import { createChannels } from './channels/create.ts';
import { eraseOthers, eraseReader } from './kept/erase.ts';
import { forgetReader, readSignInRequest, rememberReader } from './sign-in-request.ts';

/** Returns what asks the reader to agree to a sign-in; null where nothing is to be asked. A question that cannot be loaded counts as refused. */
async function signInQuestion(launchData: string | null, lastReader: string | null): Promise<(() => Promise<boolean>) | null> {
  const request = await readSignInRequest(launchData, lastReader);
  if (request === null) return null;
  return () => import('./pages/account/ask-to-sign-in.ts').then((part) => part.askToSignIn(request)).catch(() => false);
}

/** Remembers who signed in on this device, and erases from it what is kept of others. */
function keepOnly(id: string, former: string | null, tabs: Tabs | null): void {
  rememberReader(id);
  if (former !== null && former !== id) {
    tabs?.tell(former);
    void eraseReader(former);
  }
  void eraseOthers(id);
}

export const account = {
  createChannels,
  eraseReader,
  forgetReader,
  keepOnly,
  openTabs,
  readSignIn,
  signInQuestion,
};
export type Account = typeof account;

export interface TokenAndUser {
  readonly token: string;
  readonly user: ReturnType<typeof signIn>['user'] | null;
}

/** Reads a sign-in's answer. The token is all that it needs; who it is can be asked for. Throws where there is none. */
function readSignIn(raw: unknown, path: string): TokenAndUser {
  const token = typeof raw === 'object' && raw !== null && 'Access-Token' in raw ? raw['Access-Token'] : undefined;
  if (typeof token !== 'string' || token === '') throw new Error('The sign-in answer has no Access-Token.');
  try {
    return { token, user: signIn(raw, path).user };
  } catch {
    return { token, user: null };
  }
}

/** The app's other tabs. */
export interface Tabs {
  /** Says whose kept data has been erased. */
  tell(readerId: string): void;
}

/** Tells the app's other tabs, and hears from them, whose kept data has been erased. */
function openTabs(heard: (readerId: string) => void): Tabs {
  try {
    const channel = new BroadcastChannel('changer-erased');
    channel.onmessage = ({ data }) => {
      if (typeof data === 'string') heard(data);
    };
    return { tell: (readerId) => channel.postMessage(readerId) };
  } catch {
    return { tell: () => {} };
  }
}
