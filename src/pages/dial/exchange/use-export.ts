import { str, useMsg } from '../../../i18n/i18n.ts';
import { channelPath } from '../../../ui/addresses.ts';
import { saveFile } from '../../../ui/save-file.ts';
import { useServices } from '../../services.ts';
import { useReadable } from '../../use-readable.ts';
import type { Exchanging } from './exchange.ts';

/**
 * Gives what saves the line-up as an OPML file. Telegram's web views save no files: there it goes to the clipboard, and where that
 * is refused too, to `show`.
 */
export function useExport({ rows, say }: Exchanging, show: (text: string) => void): () => Promise<void> {
  const { msg } = useMsg();
  const { channels, host, site } = useServices();
  const presets = useReadable(channels.presets);
  return async () => {
    const { writeOpml } = await import('../../../channels/exchange/write-opml.ts');
    const made = new Date();
    const text = writeOpml({
      title: msg(str`Line-up · ${site.brandName}`),
      made,
      rows: rows.filter((row) => row.followed),
      presets,
      pageOf: ({ channel }) => new URL(channelPath(channel), location.origin).href,
    });
    if (host.kind === 'telegram') {
      try {
        await navigator.clipboard.writeText(text);
        say(msg('Copied as OPML: Telegram saves no files. Paste it into one, or into another reader.'));
      } catch {
        show(text);
      }
      return;
    }
    const name = `line-up-${made.toISOString().slice(0, 10)}.opml`;
    saveFile(name, 'text/x-opml', text);
    say(msg(str`Saved as ${name}`));
  };
}
