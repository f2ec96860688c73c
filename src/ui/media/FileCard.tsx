import type { ReactElement, ReactNode } from 'react';
import { AnyIcon, type AnyIconName } from '../AnyIcon.tsx';

interface FileFaceProps {
  readonly icon: AnyIconName | ReactElement;
  readonly title: string;
  readonly note: string;
}

/** A file, a place or the like as a row: what it is, its name, and what is known of it. */
export function FileFace({ icon, title, note }: FileFaceProps) {
  return (
    <>
      <span className="file-icon">{typeof icon === 'string' ? <AnyIcon name={icon} /> : icon}</span>
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
