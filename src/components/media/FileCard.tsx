import type { ReactElement, ReactNode } from 'react';
import { PartIcon, type PartIconName } from '../icons/PostIcon.tsx';

interface FileFaceProps {
  readonly icon: PartIconName | ReactElement;
  readonly title: string;
  readonly note: string;
}

/** File card: renders a file, a venue or similar as a row with an icon, a title and details. */
export function FileFace({ icon, title, note }: FileFaceProps) {
  return (
    <>
      <span className="file-icon">{typeof icon === 'string' ? <PartIcon name={icon} /> : icon}</span>
      <span className="file-text">
        <bdi>{title}</bdi>
        <small>
          <bdi>{note}</bdi>
        </small>
      </span>
    </>
  );
}

/** Renders the same row in a frame, with actions. */
export function FileCard({ children, ...face }: FileFaceProps & { readonly children: ReactNode }) {
  return (
    <div className="file">
      <FileFace {...face} />
      {children}
    </div>
  );
}
