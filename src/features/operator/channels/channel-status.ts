import type { OperatorChannel } from '../../../../contract/operator.ts';
import { type Messages, str } from '../../../i18n/i18n.ts';

/** Channel status as text. The tone `asks` means that an operator has to decide, `bad` that there is a problem. */
export interface ChannelStatus {
  readonly tone: 'good' | 'quiet' | 'asks' | 'bad';
  readonly text: string;
}

/** Returns the status of a channel. `now` in unix ms. */
export function channelStatus(m: Messages, { channel, connection, feed }: OperatorChannel, now: number): ChannelStatus {
  const { msg } = m;
  // A feed that is being disconnected has a connection too, so that the disconnection can be undone.
  if (connection !== undefined && (channel.source === 'bot' || connection.status === 'leaving'))
    return connectionStatus(m, connection, channel.latest?.date, now);
  if (feed !== undefined) return feedStatus(m, feed, now);
  if (channel.demo) return { tone: 'quiet', text: msg('Demo. None of it is real.') };
  if (channel.state === 'paused' && channel.since !== undefined)
    return { tone: 'bad', text: msg(str`Paused since ${dayText(m, channel.since)}`) };
  return { tone: 'quiet', text: msg('Imported. New posts appear after the next import.') };
}

function connectionStatus(
  m: Messages,
  { status, since, missingRights, undoUntil }: NonNullable<OperatorChannel['connection']>,
  latest: number | undefined,
  now: number,
): ChannelStatus {
  const { msg } = m;
  switch (status) {
    // An administrator added the bot, and no operator has accepted the channel yet.
    case 'asking':
      return { tone: 'asks', text: msg('Somebody added the bot. Nothing is shown until you accept.') };
    // An operator disconnected the channel, and can undo that for ten minutes.
    case 'leaving':
      return {
        tone: 'asks',
        text:
          undoUntil === undefined
            ? msg('Disconnected')
            : msg(str`Disconnected. You can undo this until ${timeText(m, undoUntil)}.`),
      };
    // The bot is no longer an administrator.
    case 'lost':
      return { tone: 'bad', text: msg(str`Paused since ${dayText(m, since)}: the bot is no longer an administrator.`) };
    case 'connected':
      if (missingRights.length > 0) return { tone: 'bad', text: msg('Live, but the bot lacks rights.') };
      return {
        tone: 'good',
        text: latest === undefined ? msg('Live. No post yet.') : msg(str`Live. Last post: ${m.relativeDate(latest, now)}`),
      };
  }
}

function feedStatus(m: Messages, { checkedAt, failures }: NonNullable<OperatorChannel['feed']>, now: number): ChannelStatus {
  const { msg } = m;
  if (failures > 0) return { tone: 'bad', text: msg('The feed could not be read.') };
  return {
    tone: 'good',
    text: checkedAt === undefined ? msg('Feed. Not read yet.') : msg(str`Feed. Read: ${m.relativeDate(checkedAt, now)}`),
  };
}

/** Formats unix seconds as a date with its time. */
const dayText = ({ localeTag }: Messages, at: number): string =>
  new Intl.DateTimeFormat(localeTag(), { dateStyle: 'medium', timeStyle: 'short' }).format(at * 1000);

/** Formats unix seconds as a time of day. */
const timeText = ({ localeTag }: Messages, at: number): string =>
  new Intl.DateTimeFormat(localeTag(), { timeStyle: 'short' }).format(at * 1000);

/** Sort order of the tones, the lowest first. */
const TONE_WEIGHTS: Readonly<Record<ChannelStatus['tone'], number>> = { asks: 0, bad: 1, good: 2, quiet: 2 };

/** Returns a comparator that puts channels which need an action first; the others keep their order. */
export const byUrgency =
  (m: Messages, now: number) =>
  (left: OperatorChannel, right: OperatorChannel): number =>
    TONE_WEIGHTS[channelStatus(m, left, now).tone] - TONE_WEIGHTS[channelStatus(m, right, now).tone];

/** Returns the text of a bot's right; a right without a translation keeps its name in the Bot API. */
export function rightText({ msg }: Messages, right: string): string {
  switch (right) {
    case 'can_manage_chat':
      return msg('to be an administrator');
    case 'can_post_messages':
      return msg('to post');
    case 'can_edit_messages':
      return msg('to edit posts');
    case 'can_delete_messages':
      return msg('to delete posts');
    case 'can_invite_users':
      return msg('to invite readers');
    default:
      return right;
  }
}
