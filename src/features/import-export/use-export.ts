import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { downloadTextFile } from '../../lib/download-file.ts';
import { channelPath } from '../../lib/links.ts';
import type { ImportExportProps } from './shared.ts';

/**
 * OPML export: returns a function that saves the line-up as an OPML file. Telegram's web views save no files: there it
 * copies the text to the clipboard, or passes it to `showText` if the clipboard is unavailable.
 */
export function useExport({ rows, announce }: ImportExportProps, showText: (text: string) => void): () => Promise<void> {
  const { msg, plural } = useMsg();
  const { dataClient, host, environment } = useServices();
  const presets = useSignalValue(dataClient.presets);
  return async () => {
    const { writeLineupOpml } = await import('./model/opml-write.ts');
    const createdAt = new Date();
    const followed = rows.filter((row) => row.followed);
    const publicRows = followed.filter(({ channel }) => !channel.private);
    const privateCount = followed.length - publicRows.length;
    const omittedText = plural(
      privateCount,
      msg(
        'one: # private channel is left out: other readers cannot read it. | other: # private channels are left out: other readers cannot read them.',
      ),
    );
    const announceDone = (text: string) => announce([text, ...(privateCount > 0 ? [omittedText] : [])].join(' '), false, true);
    // An OPML list must contain at least one outline.
    if (publicRows.length === 0) return announce(omittedText, false, true);
    const text = writeLineupOpml({
      title: msg(str`Line-up · ${environment.brandName}`),
      createdAt,
      rows: publicRows,
      presets,
      origin: location.origin,
      pagePath: ({ channel }) => channelPath(channel),
    });
    if (host.kind === 'telegram') {
      try {
        await navigator.clipboard.writeText(text);
        announceDone(msg('Copied as OPML, because Telegram cannot save files. Paste it into a file or into another reader.'));
      } catch {
        showText(text);
      }
      return;
    }
    const name = `line-up-${createdAt.toISOString().slice(0, 10)}.opml`;
    downloadTextFile(name, 'text/x-opml', text);
    announceDone(msg(str`Saved as ${name}.`));
  };
}
