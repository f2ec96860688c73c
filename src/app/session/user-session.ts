/*
 * User session, from launch to sign-out. The data of a reader on this device (database, token, cached responses) is opened and
 * deleted here, so that no reader sees the data of another.
 */

import { createApi } from '../../api/channels-api.ts';
import type { AppSession } from '../../api/token-storage.ts';
import type { Client } from '../../api/types.ts';
import type { ChannelsArea } from '../../data/clients/account-client.ts';
import { createAnonymousChannels } from '../../data/clients/anonymous-client.ts';
import type { Cell } from '../../lib/signal.ts';
import { createNote } from '../../lib/web-storage.ts';
import type { Host } from '../../platform/platform.ts';
import { type Kept, type MakeRoom, openKept } from '../../storage/device-storage.ts';
import type { Account, SignInQuestion, Tabs, TokenAndUser } from './account-chunk.ts';
import { createGuard, SIGN_IN_TIMEOUT_MS } from './auth-guard.ts';
import type { SessionRenewal } from './session-renewal.ts';

/** Loads the features that only a reader with an account needs. */
const loadAccount = async () => (await import('./account-chunk.ts')).account;

const makeRoom: MakeRoom = async (kept) => (await import('../../data/offline/eviction.ts')).makeRoom(kept);

const SIGN_IN = '/api/telegram/auth/webapp';

export interface ReaderOptions {
  readonly client: Client;
  readonly session: AppSession;
  readonly host: Host;
  /** Called when the data layer of another reader replaces the previous one. */
  readonly changed: (area: ChannelsArea) => void;
  /** Set to true if the session ended and only the reader can sign in again. */
  readonly ended: Cell<boolean>;
}

export interface ReaderControl {
  /** Returns the data layer of the current reader. */
  channels(): ChannelsArea;
  /** Runs before every navigation; see auth-guard.ts. */
  guard(): Promise<void>;
  signOut(): Promise<void>;
}

interface Open {
  readonly id: string | null;
  /** Null for an anonymous reader. */
  readonly account: Account | null;
  readonly area: ChannelsArea;
  readonly kept: Promise<Kept>;
}

/**
 * Opens the data layer of the reader that the launch data names, and handles sign-ins and sign-outs of this and other tabs.
 * Rejects if the account chunk could not be loaded: a data layer that loses the reader's changes must not open.
 */
export async function createReader({ client, session, host, changed, ended }: ReaderOptions): Promise<ReaderControl> {
  const api = createApi(client);
  const tokenOwner = createNote('tab', 'changer_token_reader');
  const lastReader = createNote('device', 'changer_reader');
  /** Another account was launched in a tab that still has the token of the previous one. */
  const owner = tokenOwner.read();
  const launched = host.readerId();
  if (owner !== null && launched !== null && owner !== launched) session.clear();

  const openFor = (id: string, account: Account): Open => {
    const kept = openKept(id, makeRoom);
    return { id, account, kept, area: account.createChannels({ api, kept, readerId: id }) };
  };
  const openAnonymous = (): Open => {
    const kept = openKept(null, makeRoom);
    return { id: null, account: null, kept, area: createAnonymousChannels({ api, kept }) };
  };
  let tabs: Tabs | null = null;
  let renewal: SessionRenewal | null = null;
  const heed = (account: Account): Account => {
    tabs ??= account.openTabs((erased) => {
      if (erased === open.id) void leave();
    });
    renewal ??= account.createSessionRenewal({
      ended,
      hasLaunchData: () => host.launchData() !== null,
      signIn: () => void guard(),
    });
    return account;
  };
  let question: SignInQuestion | undefined;
  /** True during a sign-out: a sign-in would create a session that no client holds. */
  let isLeaving = false;
  const openLaunched = async (id: string): Promise<Open> => {
    const account = heed(await loadAccount());
    question = await account.askBeforeSignIn(host, lastReader.read(), () => guard());
    return question.isOpen ? openAnonymous() : openFor(id, account);
  };
  let open = launched === null ? openAnonymous() : await openLaunched(launched);
  session.refused.subscribe(() => {
    if (!isLeaving) renewal?.begin();
  });
  if (open.id !== null && session.token() !== null) open.area.resume();

  const reopen = (make: () => Open): void => {
    close(open);
    client.forget();
    open = make();
    changed(open.area);
  };
  const leave = async (): Promise<void> => {
    const { id, account } = open;
    session.clear();
    renewal?.end();
    tokenOwner.write(null);
    host.dropLaunchData();
    reopen(openAnonymous);
    if (id === null) return;
    if (lastReader.read() === id) lastReader.write(null);
    await account?.eraseReader(id);
  };
  const signedIn = ({ user, account }: Answer): void => {
    renewal?.end();
    if (user === null) {
      open.area.resume();
      return;
    }
    account.keepOnly(user.id, lastReader.read(), tabs);
    tokenOwner.write(user.id);
    lastReader.write(user.id);
    if (open.id !== user.id) reopen(() => openFor(user.id, account));
    open.area.signedIn(user);
  };
  const guard = createGuard<Answer>({
    host: { launchData: () => (isLeaving || question?.isOpen || renewal?.isWaiting() ? null : host.launchData()) },
    session,
    async signIn(initData) {
      const answered = client.write('post', SIGN_IN, { initData }, ['/api/']);
      const [raw, account] = await Promise.all([answered, loadAccount()]);
      return { ...account.readSignIn(raw, SIGN_IN), account: heed(account) };
    },
    signedIn,
    failed(error) {
      open.area.signInFailed();
      renewal?.failed(error);
    },
    isKnown: () => lastReader.read() === open.id,
  });

  return {
    channels: () => open.area,
    guard,
    async signOut() {
      const { id } = open;
      isLeaving = true;
      // The request to the server may fail or hang; the reader's data is removed from this device in each case.
      const ended = api.endSession().catch(() => {});
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, SIGN_IN_TIMEOUT_MS))]);
      if (id !== null) tabs?.signOut(id);
      await leave();
      isLeaving = false;
    },
  };
}

interface Answer extends TokenAndUser {
  readonly account: Account;
}

function close({ area, kept }: Open): void {
  area.close();
  void kept.then((opened) => opened.close());
}
