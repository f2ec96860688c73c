import type { ReactElement, ReactNode } from 'react';
import { PartIcon, type PartIconName } from '../icons/PostIcon.tsx';

interface FileFaceProps {
  readonly icon: PartIconName | ReactElement;
  readonly title: string;
  readonly note: string;
}

/** A file, a place or the like as a row: what it is, its name, and what is known of it. */
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

/** The same in a frame, with what can be done about it. */
export function FileCard({ children, ...face }: FileFaceProps & { readonly children: ReactNode }) {
  return (
    <div className="file">
      <FileFace {...face} />
      {children}
    </div>
  );
}
