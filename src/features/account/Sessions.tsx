import { useCallback, useEffect, useId, useRef, useState } from 'react';
import type { SessionPage } from '../../../contract/api.ts';
import type { AccountApi } from '../../api/account-api.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { RequestError } from './RequestError.tsx';
import { useAccountRequest } from './use-account-request.ts';

type Session = SessionPage['items'][number];

interface SessionsProps {
  readonly api: AccountApi;
  readonly announce: (text: string) => void;
  readonly onClose: () => void;
}

/**
 * Sessions list: where the reader is signed in, with a button that ends a session. The list shows the last response of the
 * server.
 */
export function Sessions({ api, announce, onClose }: SessionsProps) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const { thrown, run, busy } = useAccountRequest();
  const [sessions, setSessions] = useState<readonly Session[] | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  const load = useCallback(() => run(async () => setSessions(currentFirst(await api.sessions()))), [api, run]);
  useEffect(() => void load(), [load]);
  const others = sessions?.filter(({ current }) => !current) ?? [];
  /** Removes ended sessions from the list. The pressed button disappears with them, so the focus moves to the heading. */
  const removeEnded = (isEnded: (session: Session) => boolean, text: string) => {
    setSessions((previous) => previous?.filter((session) => !isEnded(session)) ?? null);
    announce(text);
    heading.current?.focus();
  };
  const end = async (session: Session) => {
    if (session.current) return void environment.signOut?.().then(onClose);
    if (await run(() => api.endSession(session.id).catch(ignoreNotFound)))
      removeEnded(({ id }) => id === session.id, msg('Signed out there.'));
  };
  const endOthers = async () => {
    if (await run(api.endOtherSessions)) removeEnded(({ current }) => !current, msg('Signed out everywhere else.'));
  };
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId} ref={heading} tabIndex={-1} className="account-head">
        {msg('Where you are signed in')}
      </h3>
      {sessions === null && busy && <SessionsSkeleton />}
      {sessions !== null && (
        <ul className="sessions">
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} onEnd={() => void end(session)} />
          ))}
        </ul>
      )}
      <RequestError thrown={thrown} />
      {sessions === null && thrown !== null && toRequestFailure(thrown).status !== 401 && (
        <button type="button" className="button quiet sessions-all" onClick={() => void load()}>
          {msg('Try again')}
        </button>
      )}
      {others.length > 1 && (
        <button type="button" className="button quiet sessions-all" onClick={() => void endOthers()}>
          {msg('Sign out everywhere else')}
        </button>
      )}
      {others.length > 0 && (
        <p className="account-text">
          {msg(
            'Inside Telegram the app signs in by itself. To shut out a device that you lost, end its session in Telegram too.',
          )}
        </p>
      )}
    </section>
  );
}

/** Sorts the current session first. The server lists sessions by their last use, with a resolution of one minute. */
const currentFirst = ({ items }: SessionPage): readonly Session[] =>
  items.toSorted((left, right) => Number(right.current) - Number(left.current));

/** Ignores 404: a session that is already over is the wanted result. */
function ignoreNotFound(thrown: unknown): void {
  if (toRequestFailure(thrown).status !== 404) throw thrown;
}

function SessionRow({ session: { current, lastUsed }, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { msg, relativeDate } = useMsg();
  const id = useId();
  const when = relativeDate(Date.parse(lastUsed) / 1000, Date.now());
  return (
    <li>
      <AnyIcon name={current ? 'check' : 'person'} />
      <span id={`${id}where`}>
        <b>{current ? msg('This device') : msg('Elsewhere')}</b>{' '}
        <small>{current ? msg('Signed in and in use') : msg(str`Last used: ${when}`)}</small>
      </span>
      <button type="button" id={id} className="button plain" aria-labelledby={`${id} ${id}where`} onClick={onEnd}>
        {msg('Sign out')}
      </button>
    </li>
  );
}

/** Skeleton of the list; most readers have two sessions. */
function SessionsSkeleton() {
  const { msg } = useMsg();
  return (
    <div className="sessions bones" role="status" aria-label={msg('Loading')}>
      <span className="bone" />
      <span className="bone" />
    </div>
  );
}
