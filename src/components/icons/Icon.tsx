const STAR_OUTLINE = 'm12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z';

/**
 * Icons of the first load: outlines on a square of 24 units, designed for this product. The others are in
 * `PostIcon.tsx` and `AnyIcon.tsx`.
 */
const OUTLINES = {
  search: 'M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0m16 9-4-4',
  star: STAR_OUTLINE,
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 13v5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-5',
  out: 'M14 4h6v6m0-6-9 9M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
  feed: 'M4 6h16M4 12h16M4 18h10',
  dial: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m8 0 3.5-3.5',
  check: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m5 .5 2.2 2.5 4.3-5.5',
  done: 'M5 12.5 10 17l9-10',
  up: 'm6 15 6-6 6 6',
  close: 'm6 6 12 12M18 6 6 18',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zm3 11v5',
  person: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20a7.5 7.5 0 0 1 15 0',
  photo: 'M4 5h16v14H4zm0 11 5-5 4 4 3-3 4 4M14.5 9h.01',
  offline: 'M4 4l16 16M8.5 16.5a5 5 0 0 1 6-.8M5 12.5a10 10 0 0 1 4-2.5m4-.4a10 10 0 0 1 6 2.9M12 20h.01',
  info: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m8-.5V16m0-8h.01',
  forward: 'm14 7 5 5-5 5m5-5h-8a6 6 0 0 0-6 6',
  starred: STAR_OUTLINE,
} as const;

export type IconName = keyof typeof OUTLINES;

export interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
  readonly filled?: boolean;
}

/** Renders an icon of the first load. It has no accessible name; the control that contains it has one. */
export const Icon = ({ name, ...iconProps }: IconProps) => (
  <Outline path={OUTLINES[name]} {...iconProps} flip={name === 'out' || name === 'feed' || name === 'forward'} />
);

interface OutlineProps extends Omit<IconProps, 'name'> {
  readonly path: string;
  /** Mirrors the icon in right-to-left languages. */
  readonly flip?: boolean;
  /** Renders thicker lines. */
  readonly heavy?: boolean;
}

/** Renders an SVG path as an icon. */
export function Outline({ path, small, filled, flip, heavy }: OutlineProps) {
  const classes = ['i', small && 'small', flip && 'flip', heavy && 'heavy'].filter(Boolean).join(' ');
  const fill = filled ? { fill: 'currentColor' } : {};
  return (
    <svg viewBox="0 0 24 24" className={classes} aria-hidden="true" {...fill}>
      <path d={path} {...fill} />
    </svg>
  );
}
