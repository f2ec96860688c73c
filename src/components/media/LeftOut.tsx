import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { OriginalLink } from './MissingFile.tsx';

/**
 * Returns a sentence with the number of files that the source omitted, or that it lists but that could not be found.
 */
function useLeftOutText(media: readonly Media[]): string {
  const { msg, plural } = useMsg();
  const count = media.length;
  if (media.some(({ missing }) => missing !== 'not-included'))
    return plural(count, msg('one: This file could not be found. | other: # files could not be found.'));
  if (media.every(({ type }) => type === 'photo'))
    return plural(count, msg('one: This picture is not in this export. | other: # pictures are not in this export.'));
  return plural(count, msg('one: This file is not in this export. | other: # files are not in this export.'));
}

interface LeftOutProps {
  readonly media: readonly Media[];
  readonly link: string | undefined;
}

/** Omitted files: renders one line for files that cannot be shown, with a link to the original post. */
export function OmittedFiles({ media, link }: LeftOutProps) {
  const sentence = useLeftOutText(media);
  const name = media.length === 1 ? (media[0]?.title ?? media[0]?.name) : undefined;
  return (
    <p className="left-out">
      {name !== undefined && (
        <>
          <bdi>{name}</bdi>:{' '}
        </>
      )}
      {sentence} <OriginalLink link={link} />
    </p>
  );
}
