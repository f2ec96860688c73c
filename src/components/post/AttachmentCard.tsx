import type { ComponentProps, ReactNode } from 'react';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import type { FileCard } from '../media/FileCard.tsx';

interface AttachmentCardProps extends Omit<ComponentProps<typeof FileCard>, 'children'> {
  /** URL of the post at its source. If it is set, a link to it is shown. */
  readonly link?: string | undefined;
  readonly children?: ReactNode;
}

/** Attachment card: renders an attachment of a post as a row with an icon, details and a link to the original. */
export function AttachmentCard({ link, children, ...cardProps }: AttachmentCardProps) {
  return (
    <CommonChunk>
      {({ FileCard, OriginalLink }) => (
        <FileCard {...cardProps}>
          {children}
          <OriginalLink link={link} />
        </FileCard>
      )}
    </CommonChunk>
  );
}
