import type { ComponentProps, ReactNode } from 'react';
import { Part } from '../lazy-chunks/lazy-chunks.tsx';
import type { FileCard } from '../media/FileCard.tsx';

interface CardProps extends Omit<ComponentProps<typeof FileCard>, 'children'> {
  /** The post's address at its source, offered where it is given. */
  readonly link?: string | undefined;
  readonly children?: ReactNode;
}

/** A thing of a post as a row: what it is, what is known of it, and the way to it. */
export function Card({ link, children, ...face }: CardProps) {
  return (
    <Part>
      {({ FileCard, OriginalLink }) => (
        <FileCard {...face}>
          {children}
          <OriginalLink link={link} />
        </FileCard>
      )}
    </Part>
  );
}
