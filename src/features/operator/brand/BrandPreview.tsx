import type { CSSProperties } from 'react';
import { useMsg } from '../../../i18n/i18n.ts';

interface BrandPreviewProps {
  readonly name: string;
  /** Colour as #rrggbb. */
  readonly color: string;
  /** Null if the app's own icon is used. */
  readonly logo: string | null;
}

/** Brand preview: shows the brand as readers will see it, before it is saved. */
export function BrandPreview({ name, color, logo }: BrandPreviewProps) {
  const { msg } = useMsg();
  // The spread splits by code point, so that an emoji stays complete.
  const initial = [...name.trim()][0] ?? '';
  const colorStyle: CSSProperties & Record<'--worn', string> = { '--worn': color };
  return (
    <figure className="brand-preview" style={colorStyle}>
      <div className="brand-head">
        {logo === null ? (
          <span className="brand-logo" aria-hidden="true">
            {initial}
          </span>
        ) : (
          <img className="brand-logo" src={logo} width={56} height={56} alt={msg('Logo')} />
        )}
        <bdi>{name}</bdi>
      </div>
      <figcaption>{msg('How readers will see it')}</figcaption>
    </figure>
  );
}
