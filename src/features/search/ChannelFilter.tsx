import { useState } from 'react';
import { Avatar } from '../../components/Avatar.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { MoreChannels } from '../lineup/MoreChannels.tsx';
import { channelParam, matchesChannelName, useDirectory } from './filter-labels.ts';
import type { SearchParams } from './search-params.ts';

/** Number of channels above which a name filter is shown: more do not fit on one screen. */
const MAX_CHANNELS_WITHOUT_FIELD = 10;

interface ChannelFilterProps {
  readonly view: SearchParams;
  /** Channels to choose from; empty for all. */
  readonly scope: readonly string[];
  onView(view: SearchParams): void;
}

/** Channel filter of a search: the checked channels, or all if none is checked. */
export function ChannelFilter({ view, scope, onView }: ChannelFilterProps) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const [nameFilter, setNameFilter] = useState('');
  const channels = useDirectory().filter(
    (channel) => scope.length === 0 || scope.some((name) => matchesChannelName(channel, name)),
  );
  const isChosen = (channel: (typeof channels)[number]) => view.channels.some((name) => matchesChannelName(channel, name));
  const choose = (channel: (typeof channels)[number], isChecked: boolean) => {
    const others = view.channels.filter((name) => !matchesChannelName(channel, name));
    onView({ ...view, channels: isChecked ? [...others, channelParam(channel)] : others });
  };
  const typed = normalizeName(nameFilter.trim());
  const shown = channels.filter(({ title, username = '' }) => normalizeName(`${title} @${username}`).includes(typed));
  return (
    <div className="choices">
      {channels.length > MAX_CHANNELS_WITHOUT_FIELD && (
        <input
          type="search"
          className="choice-find"
          placeholder={msg('Find a channel')}
          aria-label={msg('Find a channel')}
          onInput={(event) => setNameFilter(event.currentTarget.value)}
        />
      )}
      <label className="choice">
        <span>{msg('All channels')}</span>
        <input
          type="checkbox"
          checked={view.channels.length === 0}
          disabled={view.channels.length === 0}
          onChange={() => onView({ ...view, channels: [] })}
        />
      </label>
      {shown.map((channel) => (
        <label key={channel.id} className="choice">
          <Avatar channel={channel} base={environment.baseUrl} size="s" />
          <span>
            <bdi>{channel.title}</bdi>
          </span>
          <input type="checkbox" checked={isChosen(channel)} onChange={(event) => choose(channel, event.currentTarget.checked)} />
        </label>
      ))}
      {scope.length === 0 && <MoreChannels query={nameFilter.trim()} count={channels.length} />}
    </div>
  );
}

/** Normalizes a name as the server does: without case and marks. */
const normalizeName = (name: string): string => name.normalize('NFKD').replace(/\p{M}/gu, '').toLocaleLowerCase();
