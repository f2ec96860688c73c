import type { ReactElement, ReactNode } from 'react';
import { PostIcon, type PostIconName } from '../icons/PostIcon.tsx';

interface FileContentProps {
  readonly icon: PostIconName | ReactElement;
  readonly title: string;
  readonly details: string;
}

/** File card: renders a file, a venue or similar as a row with an icon, a title and details. */
export function FileContent({ icon, title, details }: FileContentProps) {
  return (
    <>
      <span className="file-icon">{typeof icon === 'string' ? <PostIcon name={icon} /> : icon}</span>
      <span className="file-text">
        <bdi>{title}</bdi>
        <small>
          <bdi>{details}</bdi>
        </small>
      </span>
    </>
  );
}

/** Renders the same row in a frame, with actions. */
export function FileCard({ children, ...content }: FileContentProps & { readonly children: ReactNode }) {
  return (
    <div className="file">
      <FileContent {...content} />
      {children}
    </div>
  );
}
