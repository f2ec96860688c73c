/*
 * User session, from launch to sign-out. This module opens and deletes the data of a reader on this device (database,
 * token, cached responses), so that no reader sees the data of another.
 */

import { type ChannelsApi, createChannelsApi } from '../../api/channels-api.ts';
import type { AppTokenStorage } from '../../api/token-storage.ts';
import type { HttpClient } from '../../api/types.ts';
import type { DataClientControl } from '../../data/clients/account-client.ts';
import { createAnonymousClient } from '../../data/clients/anonymous-client.ts';
import type { WritableSignal } from '../../lib/signal.ts';
import { LAST_READER_KEY, TOKEN_OWNER_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';
import type { Host } from '../../platform/platform.ts';
import { type DeviceStorage, type EvictForSpace, openDeviceStorage } from '../../storage/device-storage.ts';
import type { SnapshotReader } from '../snapshot/page-snapshots.ts';
import { tabSnapshot } from '../snapshot/tab-snapshot.ts';
import type { AccountChunk, ErasureChannel, SignInQuestion, SignInResult } from './account-chunk.ts';
import { createAuthGuard, SIGN_IN_TIMEOUT_MS } from './auth-guard.ts';
import type { SessionRenewal } from './session-renewal.ts';

/** Loads the account chunk: the features that only a reader with an account needs. */
const loadAccountChunk = async () => (await import('./account-chunk.ts')).accountChunk;

const evictForSpace: EvictForSpace = async (storage) => (await import('../../data/offline/eviction.ts')).evictForSpace(storage);

const SIGN_IN_PATH = '/api/telegram/auth/webapp';

export interface UserSessionOptions {
  readonly client: HttpClient;
  readonly tokenStorage: AppTokenStorage;
  readonly host: Host;
  /** Called when the data layer of another reader replaces the previous one. */
  readonly onClientChanged: (client: DataClientControl) => void;
  /** Set to true if the session ended and only the reader can sign in again. */
  readonly sessionEnded: WritableSignal<boolean>;
}

export interface UserSession {
  /** Returns the data layer of the current reader. */
  dataClient(): DataClientControl;
  /** Returns the current reader with the open storage; another object after the reader has changed. */
  reader(): SnapshotReader;
  /** Runs before every navigation; see auth-guard.ts. */
  guard(): Promise<void>;
  signOut(): Promise<void>;
}

/** Open data layer of a reader, with its storage. */
interface OpenClient {
  /** Id of the reader; null for an anonymous one. */
  readonly id: string | null;
  /** Null for an anonymous reader. */
  readonly account: AccountChunk | null;
  readonly client: DataClientControl;
  readonly storage: Promise<DeviceStorage>;
}

/**
 * Opens the data layer of the reader that the launch data names, and handles sign-ins and sign-outs of this and other
 * tabs. Rejects if the account chunk could not be loaded: a data layer that loses the reader's changes must not open.
 */
export async function createUserSession({
  client,
  tokenStorage,
  host,
  onClientChanged,
  sessionEnded,
}: UserSessionOptions): Promise<UserSession> {
  const api = createChannelsApi(client);
  const tokenOwner = createStoredValue('tab', TOKEN_OWNER_KEY);
  const lastReader = createStoredValue('device', LAST_READER_KEY);
  const launchedId = host.readerId();
  if (isOtherReader(tokenOwner.read(), launchedId)) tokenStorage.clear();

  const features = createAccountFeatures({
    host,
    sessionEnded,
    signIn: () => guard(),
    onErased(id) {
      if (id === current.get().id) void signOutLocally();
    },
  });
  /** True during a sign-out. A sign-in at that time would create a session that no client uses. */
  let isSigningOut = false;
  const current = createCurrentClient(
    launchedId === null ? openAnonymous(api) : await openLaunched(api, launchedId, features, lastReader.read()),
    { client, onClientChanged },
  );
  tokenStorage.rejectedCount.subscribe(() => {
    if (!isSigningOut) features.renewal()?.begin();
  });
  if (current.get().id !== null && tokenStorage.token() !== null) current.get().client.resume();

  /** Signs out on this device: erases the reader's data, and continues as an anonymous reader. */
  const signOutLocally = async (): Promise<void> => {
    const { id, account } = current.get();
    tokenStorage.clear();
    features.renewal()?.end();
    tokenOwner.write(null);
    host.dropLaunchData();
    current.replace(() => openAnonymous(api));
    if (id === null) return;
    if (lastReader.read() === id) lastReader.write(null);
    await account?.eraseReaderDatabase(id);
  };
  const onSignedIn = ({ user, account }: SignInAttempt): void => {
    features.renewal()?.end();
    if (user === null) {
      current.get().client.resume();
      return;
    }
    account.rememberOnlyReader(user.id, lastReader.read(), features.erasureChannel());
    tokenOwner.write(user.id);
    lastReader.write(user.id);
    if (current.get().id !== user.id) current.replace(() => openFor(api, user.id, account));
    current.get().client.signedIn(user);
  };
  const guard = createAuthGuard<SignInAttempt>({
    host: { launchData: () => (isSigningOut || features.mustWait() ? null : host.launchData()) },
    tokenStorage,
    signIn: (initData) => requestSignIn(client, initData, features),
    onSignedIn,
    onFailed(error) {
      current.get().client.signInFailed();
      features.renewal()?.signInFailed(error);
    },
    isKnownReader: () => current.get().id !== null && lastReader.read() === current.get().id,
  });
  return {
    dataClient: () => current.get().client,
    reader: current.get,
    guard,
    async signOut() {
      const { id, account } = current.get();
      isSigningOut = true;
      await account?.endPushNotifications(client);
      await endSessionOnServer(api);
      if (id !== null) features.erasureChannel()?.notifySignedOut(id);
      await signOutLocally();
      isSigningOut = false;
    },
  };
}

/** Returns true if another account was launched in a tab that still has the token of the previous one. */
const isOtherReader = (tokenOwnerId: string | null, launchedId: string | null): boolean =>
  tokenOwnerId !== null && launchedId !== null && tokenOwnerId !== launchedId;

/** Holder of the data layer of the current reader. */
interface CurrentClient {
  get(): OpenClient;
  /** Closes the current data layer before the next one opens. */
  replace(openNext: () => OpenClient): void;
}

function createCurrentClient(
  initial: OpenClient,
  { client, onClientChanged }: Pick<UserSessionOptions, 'client' | 'onClientChanged'>,
): CurrentClient {
  let current = initial;
  return {
    get: () => current,
    replace(openNext) {
      closeClient(current);
      tabSnapshot.write(null);
      client.clearCache();
      current = openNext();
      onClientChanged(current.client);
    },
  };
}

interface AccountFeaturesOptions extends Pick<UserSessionOptions, 'host' | 'sessionEnded'> {
  /** Runs the auth guard, which signs in with the launch data. */
  readonly signIn: () => Promise<void>;
  /** Called if another tab erased the stored data of a reader. */
  readonly onErased: (readerId: string) => void;
}

/** Account features of this session: inactive until the account chunk is loaded for the first time. */
interface AccountFeatures {
  /** Starts the features that the chunk contains, once. Returns the chunk. */
  activate(account: AccountChunk): AccountChunk;
  /** Requests the reader's consent to the sign-in, if needed. Returns true if the question is open. */
  askBeforeSignIn(account: AccountChunk, lastReader: string | null): Promise<boolean>;
  /**
   * Returns true while no sign-in may start: the reader has not consented yet, or the server does not accept one yet.
   */
  mustWait(): boolean;
  erasureChannel(): ErasureChannel | null;
  renewal(): SessionRenewal | null;
}

function createAccountFeatures({ host, sessionEnded, signIn, onErased }: AccountFeaturesOptions): AccountFeatures {
  let erasureChannel: ErasureChannel | null = null;
  let renewal: SessionRenewal | null = null;
  let question: SignInQuestion | undefined;
  return {
    activate(account) {
      erasureChannel ??= account.openErasureChannel(onErased);
      renewal ??= account.createSessionRenewal({
        sessionEnded,
        hasLaunchData: () => host.launchData() !== null,
        signIn: () => void signIn(),
      });
      return account;
    },
    async askBeforeSignIn(account, lastReader) {
      question = await account.askBeforeSignIn(host, lastReader, signIn);
      return question.isOpen;
    },
    mustWait: () => Boolean(question?.isOpen || renewal?.isWaiting()),
    erasureChannel: () => erasureChannel,
    renewal: () => renewal,
  };
}

/** Opens the data layer of an anonymous reader. */
function openAnonymous(api: ChannelsApi): OpenClient {
  const storage = openDeviceStorage(null, evictForSpace);
  return { id: null, account: null, storage, client: createAnonymousClient({ api, storage }) };
}

/** Opens the data layer of a reader with an account. */
function openFor(api: ChannelsApi, id: string, account: AccountChunk): OpenClient {
  const storage = openDeviceStorage(id, evictForSpace);
  return { id, account, storage, client: account.createAccountClient({ api, storage, readerId: id }) };
}

/**
 * Opens the data layer of the launched reader; that of an anonymous reader until the launched one has consented to the
 * sign-in.
 */
async function openLaunched(
  api: ChannelsApi,
  id: string,
  features: AccountFeatures,
  lastReader: string | null,
): Promise<OpenClient> {
  const account = features.activate(await loadAccountChunk());
  return (await features.askBeforeSignIn(account, lastReader)) ? openAnonymous(api) : openFor(api, id, account);
}

/** Signs in with the launch data, and loads the account chunk at the same time. */
async function requestSignIn(client: HttpClient, initData: string, features: AccountFeatures): Promise<SignInAttempt> {
  const response = client.write('post', SIGN_IN_PATH, { initData }, ['/api/']);
  const [raw, account] = await Promise.all([response, loadAccountChunk()]);
  return { ...account.parseSignIn(raw, SIGN_IN_PATH), account: features.activate(account) };
}

/**
 * Ends the session on the server. The request may fail or hang; the reader's data is removed from this device in each
 * case.
 */
async function endSessionOnServer(api: ChannelsApi): Promise<void> {
  const request = api.endSession().catch(() => {});
  await Promise.race([request, new Promise((resolve) => setTimeout(resolve, SIGN_IN_TIMEOUT_MS))]);
}

interface SignInAttempt extends SignInResult {
  readonly account: AccountChunk;
}

function closeClient({ client, storage }: OpenClient): void {
  client.close();
  void storage.then((opened) => opened.close());
}
