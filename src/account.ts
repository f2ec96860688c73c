/* What a reader with an account takes, and an anonymous one does without: a chunk of its own. */
import { signIn } from '../contract/parse.ts';
import { createChannels } from './channels/create.ts';
import { eraseOthers, eraseReader } from './kept/erase.ts';

export const account = { createChannels, eraseOthers, eraseReader, openTabs, readSignIn };
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
