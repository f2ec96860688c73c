import type { ReactNode } from 'react';
import type { OperatorChannel } from '../../../../contract/operator.ts';
import { sizeText } from '../../../components/media/format-media.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { FailureReasons } from '../FileStorage.tsx';
import { feedFailureText } from '../failure-messages.ts';
import { ServerText } from '../ListStates.tsx';
import { personName } from '../person-name.ts';
import { rightText } from './channel-status.ts';

/** Channel details: a list of names and values; details without a value are left out. */
export function ChannelDetails({ item, now }: { readonly item: OperatorChannel; readonly now: number }) {
  const m = useMsg();
  const { msg, number } = m;
  const { channel, connection, feed, files } = item;
  const relativeTime = (at: number | undefined) => (at === undefined ? undefined : m.relativeDate(at, now));
  // A bot that is no administrator lacks all rights, which the status text already states.
  const missingRights = connection?.status === 'connected' ? connection.missingRights : [];
  const rightNames = missingRights.map((right) => rightText(m, right));
  const listFormat = new Intl.ListFormat(m.localeTag(), { type: 'conjunction' });
  const details: readonly (readonly [name: string, value: ReactNode | undefined])[] = [
    [msg('The bot lacks the right'), rightNames.length > 0 ? listFormat.format(rightNames) : undefined],
    [msg('Who may read it'), accessText(m, channel)],
    [msg('Feed'), feed && <bdi dir="ltr">{feed.url}</bdi>],
    [msg('Reason'), feed?.error && (feedFailureText(m, feed) ?? <ServerText text={feed.error} />)],
    [msg('Next reading'), feed && fullTime(m, feed.due)],
    [msg('Last update'), relativeTime(connection?.lastUpdate)],
    [msg('Added by'), connection?.connectedBy && <bdi>{personName(m, connection.connectedBy)}</bdi>],
    [msg('Posts'), item.parked && item.messages === 0 ? undefined : number(item.messages)],
    [msg('Hidden'), item.hidden > 0 ? number(item.hidden) : undefined],
    [msg('May be missing'), item.missing > 0 ? number(item.missing) : undefined],
    [msg('Posts held until it is accepted'), item.parked ? number(item.parked) : undefined],
    [msg('Deleted posts last looked for'), relativeTime(connection?.checkedAt)],
    [msg('Files'), item.storage > 0 ? sizeText(m, item.storage) : undefined],
    [msg('Files waiting'), files.waiting > 0 ? number(files.waiting) : undefined],
    [msg('Files that could not be fetched'), files.failed > 0 ? number(files.failed) : undefined],
  ];
  return (
    <>
      <dl className="facts">
        {details.map(
          ([name, value]) =>
            value !== undefined &&
            value !== '' && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <FailureReasons files={files} />
    </>
  );
}

/** Formats unix seconds as a complete date; undefined stays undefined. */
const fullTime = ({ fullDate }: ReturnType<typeof useMsg>, at: number | undefined): string | undefined =>
  at === undefined ? undefined : fullDate(at);

/**
 * Returns the text of the read access: "Members only" for a private channel, otherwise "Everybody" and the username.
 */
function accessText({ msg }: ReturnType<typeof useMsg>, channel: OperatorChannel['channel']): ReactNode {
  if (channel.private) return msg('Members only');
  return (
    <>
      {msg('Everybody')}
      {channel.username !== undefined && (
        <>
          {' · '}
          <bdi dir="ltr">@{channel.username}</bdi>
        </>
      )}
    </>
  );
}
