import { useId, useRef, useState } from 'react';
import type { Preset } from '../../../contract/lineup.ts';
import { Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { MAX_LINK_LENGTH } from './model/lineup-link.ts';
import { lineupAddress } from './share-address.ts';
import type { ImportExportProps } from './shared.ts';

/** Maximum length of a line-up's name, the same as of a preset's name. */
const MAX_NAME_LENGTH = 64;

/** Share sheet: creates a link to the line-up, or to one of its presets, with a name. */
export function ShareLineupSheet({ rows, announce, onClose }: ImportExportProps & { readonly onClose: () => void }) {
  const m = useMsg();
  const services = useServices();
  const presets = useSignalValue(services.dataClient.presets);
  const [presetId, setPresetId] = useState<string | null>(null);
  const [typedName, setTypedName] = useState('');
  const id = useId();
  const preset = presets.find((candidate) => candidate.id === presetId) ?? null;
  const sharedRows = rows.filter((row) => row.followed && (preset?.channelIds.includes(row.channel.id) ?? true));
  const name = typedName.trim() === '' ? (preset?.name ?? '') : typedName;
  const link = lineupAddress(services, { name, channelIds: sharedRows.map((row) => row.channel.id) });
  const isTooLong = link.codeLength > MAX_LINK_LENGTH;
  const onCopied = () => {
    onClose();
    announce(m.msg('Link copied'));
  };
  const share = async () => {
    const outcome = await services.host.share(link.address, name === '' ? services.environment.brandName : name);
    if (outcome === 'shared') onClose();
    if (outcome === 'copied') onCopied();
  };
  return (
    <Sheet title={m.msg('Share this line-up')} onClose={onClose}>
      <div className="exchange">
        {presets.length > 0 && <SharedPresetChoice presets={presets} chosen={preset} onChoose={setPresetId} />}
        <label htmlFor={`${id}-name`}>{m.msg('Name')}</label>
        <input
          id={`${id}-name`}
          dir="auto"
          autoComplete="off"
          maxLength={MAX_NAME_LENGTH}
          placeholder={preset?.name ?? m.msg('Our city, each morning')}
          value={typedName}
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
        <ShareHints rows={sharedRows} isSiteLink={link.isTooLongForTelegram} isTooLong={isTooLong} />
        {sharedRows.length > 0 && !isTooLong && <ShareLink address={link.address} onCopied={onCopied} onShare={share} />}
      </div>
    </Sheet>
  );
}

interface SharedPresetChoiceProps {
  readonly presets: readonly Preset[];
  /** Null is the complete line-up. */
  readonly chosen: Preset | null;
  readonly onChoose: (id: string | null) => void;
}

/** Choice between all channels and one of the presets. */
function SharedPresetChoice({ presets, chosen, onChoose }: SharedPresetChoiceProps) {
  const m = useMsg();
  const id = useId();
  return (
    <fieldset className="pick">
      <legend>{m.msg('What to share')}</legend>
      {[null, ...presets].map((preset) => (
        <label key={preset?.id ?? ''} className="pick-row">
          <input type="radio" name={id} checked={preset === chosen} onChange={() => onChoose(preset?.id ?? null)} />
          <span>
            <bdi>{preset?.name ?? m.msg('All channels')}</bdi>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface ShareLinkProps {
  readonly address: string;
  readonly onCopied: () => void;
  readonly onShare: () => Promise<void>;
}

/**
 * The link, with buttons to copy and to share it. If the clipboard is unavailable, the link is selected for manual
 * copying.
 */
function ShareLink({ address, onCopied, onShare }: ShareLinkProps) {
  const m = useMsg();
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      onCopied();
    } catch {
      field.current?.focus();
    }
  };
  return (
    <>
      <label htmlFor={id}>{m.msg('Link')}</label>
      <input
        ref={field}
        id={id}
        className="opml-text"
        dir="ltr"
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="sheet-actions">
        <button type="button" className="button quiet" onClick={() => void copy()}>
          {m.msg('Copy link')}
        </button>
        <button type="button" className="button" onClick={() => void onShare()}>
          {m.msg('Share')}
        </button>
      </div>
    </>
  );
}

interface ShareHintsProps {
  readonly rows: readonly LineupRow[];
  /** True if the link opens this site, because a link to Telegram would be too long. */
  readonly isSiteLink: boolean;
  readonly isTooLong: boolean;
}

/** Explains which data is shared and which is not. */
function ShareHints({ rows, isSiteLink, isTooLong }: ShareHintsProps) {
  const m = useMsg();
  const privateCount = rows.filter(({ channel }) => channel.private).length;
  if (rows.length === 0)
    return <p className="sheet-note">{m.msg('You follow none of its channels: there is nothing to share.')}</p>;
  if (isTooLong)
    return (
      <p className="error" role="alert">
        {m.msg('These are too many for a link. Make a preset of some of them, and share that.')}
      </p>
    );
  return (
    <p className="sheet-note">
      {m.plural(rows.length, m.msg('one: # channel, in this order. | other: # channels, in this order.'))}{' '}
      {m.msg('What you muted and the addresses of your feeds are not shared.')}
      {privateCount > 0 &&
        ` ${m.plural(privateCount, m.msg('one: # is private: only its members will see it. | other: # are private: only their members will see them.'))}`}
      {isSiteLink && ` ${m.msg('It is too long for Telegram’s own link, so it leads to this site.')}`}
    </p>
  );
}
