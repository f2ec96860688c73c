/*
 * User session, from launch to sign-out. The data of a reader on this device (database, token, cached responses) is opened and
 * deleted here, so that no reader sees the data of another.
 */

import { createChannelsApi } from '../../api/channels-api.ts';
import type { AppTokenStorage } from '../../api/token-storage.ts';
import type { HttpClient } from '../../api/types.ts';
import type { DataClientControl } from '../../data/clients/account-client.ts';
import { createAnonymousClient } from '../../data/clients/anonymous-client.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import { createStoredValue } from '../../lib/web-storage.ts';
import type { Host } from '../../platform/platform.ts';
import { type DeviceStorage, type EvictForSpace, openDeviceStorage } from '../../storage/device-storage.ts';
import type { AccountChunk, ErasureChannel, SignInQuestion, SignInResult } from './account-chunk.ts';
import { createAuthGuard, SIGN_IN_TIMEOUT_MS } from './auth-guard.ts';
import type { SessionRenewal } from './session-renewal.ts';

/** Loads the features that only a reader with an account needs. */
const loadAccountChunk = async () => (await import('./account-chunk.ts')).accountChunk;

const evictForSpace: EvictForSpace = async (kept) => (await import('../../data/offline/eviction.ts')).evictForSpace(kept);

const SIGN_IN_PATH = '/api/telegram/auth/webapp';

export interface UserSessionOptions {
  readonly client: HttpClient;
  readonly tokenStorage: AppTokenStorage;
  readonly host: Host;
  /** Called when the data layer of another reader replaces the previous one. */
  readonly onClientChanged: (area: DataClientControl) => void;
  /** Set to true if the session ended and only the reader can sign in again. */
  readonly ended: WritableSignal<boolean>;
}

export interface UserSession {
  /** Returns the data layer of the current reader. */
  dataClient(): DataClientControl;
  /** Runs before every navigation; see auth-guard.ts. */
  guard(): Promise<void>;
  signOut(): Promise<void>;
}

interface OpenClient {
  readonly id: string | null;
  /** Null for an anonymous reader. */
  readonly account: AccountChunk | null;
  readonly client: DataClientControl;
  readonly storage: Promise<DeviceStorage>;
}

/**
 * Opens the data layer of the reader that the launch data names, and handles sign-ins and sign-outs of this and other tabs.
 * Rejects if the account chunk could not be loaded: a data layer that loses the reader's changes must not open.
 */
export async function createUserSession({
  client,
  tokenStorage: session,
  host,
  onClientChanged: changed,
  ended,
}: UserSessionOptions): Promise<UserSession> {
  const api = createChannelsApi(client);
  const tokenOwner = createStoredValue('tab', 'changer_token_reader');
  const lastReader = createStoredValue('device', 'changer_reader');
  /** Another account was launched in a tab that still has the token of the previous one. */
  const owner = tokenOwner.read();
  const launched = host.readerId();
  if (owner !== null && launched !== null && owner !== launched) session.clear();

  const openFor = (id: string, account: AccountChunk): OpenClient => {
    const kept = openDeviceStorage(id, evictForSpace);
    return { id, account, storage: kept, client: account.createAccountClient({ api, storage: kept, readerId: id }) };
  };
  const openAnonymous = (): OpenClient => {
    const kept = openDeviceStorage(null, evictForSpace);
    return { id: null, account: null, storage: kept, client: createAnonymousClient({ api, storage: kept }) };
  };
  let tabs: ErasureChannel | null = null;
  let renewal: SessionRenewal | null = null;
  const heed = (account: AccountChunk): AccountChunk => {
    tabs ??= account.openErasureChannel((erased) => {
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
  const openLaunched = async (id: string): Promise<OpenClient> => {
    const account = heed(await loadAccountChunk());
    question = await account.askBeforeSignIn(host, lastReader.read(), () => guard());
    return question.isOpen ? openAnonymous() : openFor(id, account);
  };
  let open = launched === null ? openAnonymous() : await openLaunched(launched);
  session.rejectedCount.subscribe(() => {
    if (!isLeaving) renewal?.begin();
  });
  if (open.id !== null && session.token() !== null) open.client.resume();

  const reopen = (make: () => OpenClient): void => {
    closeClient(open);
    client.clearCache();
    open = make();
    changed(open.client);
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
    await account?.eraseReaderDatabase(id);
  };
  const signedIn = ({ user, account }: SignInAttempt): void => {
    renewal?.end();
    if (user === null) {
      open.client.resume();
      return;
    }
    account.rememberOnlyReader(user.id, lastReader.read(), tabs);
    tokenOwner.write(user.id);
    lastReader.write(user.id);
    if (open.id !== user.id) reopen(() => openFor(user.id, account));
    open.client.signedIn(user);
  };
  const guard = createAuthGuard<SignInAttempt>({
    host: { launchData: () => (isLeaving || question?.isOpen || renewal?.isWaiting() ? null : host.launchData()) },
    tokenStorage: session,
    async signIn(initData) {
      const answered = client.write('post', SIGN_IN_PATH, { initData }, ['/api/']);
      const [raw, account] = await Promise.all([answered, loadAccountChunk()]);
      return { ...account.parseSignIn(raw, SIGN_IN_PATH), account: heed(account) };
    },
    onSignedIn: signedIn,
    onFailed(error) {
      open.client.signInFailed();
      renewal?.signInFailed(error);
    },
    isKnownReader: () => lastReader.read() === open.id,
  });

  return {
    dataClient: () => open.client,
    guard,
    async signOut() {
      const { id } = open;
      isLeaving = true;
      // The request to the server may fail or hang; the reader's data is removed from this device in each case.
      const ended = api.endSession().catch(() => {});
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, SIGN_IN_TIMEOUT_MS))]);
      if (id !== null) tabs?.notifySignedOut(id);
      await leave();
      isLeaving = false;
    },
  };
}

interface SignInAttempt extends SignInResult {
  readonly account: AccountChunk;
}

function closeClient({ client: area, storage: kept }: OpenClient): void {
  area.close();
  void kept.then((opened) => opened.close());
}
