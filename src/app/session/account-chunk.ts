/* What a reader with an account takes, and an anonymous one does without: a chunk of its own. */
import { signIn } from '../../../contract/parse.ts';
import { createChannels } from '../../data/clients/account-client.ts';
import { forgetReader, readSignInRequest, rememberReader, type SignInRequest } from '../../features/account/sign-in-request.ts';
import type { LaunchFacts } from '../../platform/platform.ts';
import { eraseOthers, eraseReader } from '../../storage/erase.ts';
import { createSessionRenewal } from './session-renewal.ts';

/** The question whether the reader agrees to a sign-in; open until it is answered. */
export interface SignInQuestion {
  isOpen: boolean;
}

/**
 * Asks the reader to agree to a sign-in where that is needed. Calls `agreed` after consent, and drops the launch data after a refusal. A
 * question that cannot be loaded counts as refused.
 */
async function askBeforeSignIn(host: LaunchFacts, lastReader: string | null, agreed: () => void): Promise<SignInQuestion> {
  const request = await readSignInRequest(host.launchData(), lastReader);
  const question = { isOpen: request !== null };
  const ask = async (asked: SignInRequest) => {
    const accepted = await import('../../features/account/sign-in-prompt.ts')
      .then((part) => part.askToSignIn(asked))
      .catch(() => false);
    question.isOpen = false;
    if (accepted) agreed();
    else host.dropLaunchData();
  };
  if (request !== null) void ask(request);
  return question;
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
  askBeforeSignIn,
  createChannels,
  createSessionRenewal,
  eraseReader,
  keepOnly,
  openTabs,
  readSignIn,
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
  /** Sends the id of a reader whose kept data has been erased. */
  tell(readerId: string): void;
  /** Sends the id, and forgets that this reader signed in on this device. */
  signOut(readerId: string): void;
}

/** Tells the app's other tabs, and hears from them, whose kept data has been erased. */
function openTabs(heard: (readerId: string) => void): Tabs {
  let tell = (_readerId: string): void => {};
  try {
    const channel = new BroadcastChannel('changer-erased');
    channel.onmessage = ({ data }) => {
      if (typeof data === 'string') heard(data);
    };
    tell = (readerId) => channel.postMessage(readerId);
  } catch {
    // There is no other tab to tell.
  }
  return {
    tell,
    signOut(readerId) {
      tell(readerId);
      forgetReader(readerId);
    },
  };
}
