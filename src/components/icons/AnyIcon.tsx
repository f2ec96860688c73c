import { DOWN_OUTLINE } from './down-outline.ts';
import { type IconProps, Outline } from './Icon.tsx';
import { PostIcon, type PostIconName } from './PostIcon.tsx';
import { PLUS_OUTLINE } from './plus-outline.ts';
import { PREVIOUS_OUTLINE } from './previous-outline.ts';
import { BELL_OUTLINE, SETTINGS_OUTLINE } from './shared-paths.ts';

/** Outlines of icons that only lazy chunks and one or two pages use. The first load and posts do not need them. */
const OUTLINES = {
  plus: PLUS_OUTLINE,
  down: DOWN_OUTLINE,
  previous: PREVIOUS_OUTLINE,
  next: 'm9 6 6 6-6 6',
  grip: 'M9 7h.01M15 7h.01M9 12h.01M15 12h.01M9 17h.01M15 17h.01',
  place: 'M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21m-2.5-11.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0',
  bell: BELL_OUTLINE,
  mute: 'M6 17v-6a6 6 0 0 1 .8-3M9.5 5.5A6 6 0 0 1 18 11v4m-1 4H4.5L6 17m4.5 4.5h3M4 4l16 16',
  hide: 'M4 4l16 16M9.9 5.2A9.6 9.6 0 0 1 12 5c5 0 8.5 4.5 9.5 7a14 14 0 0 1-2.7 3.9M6.5 6.8A14 14 0 0 0 2.5 12c1 2.5 4.5 7 9.5 7a9.5 9.5 0 0 0 4.7-1.2M10 10a3 3 0 0 0 4 4.2',
  undo: 'M9 8 4.5 12.5 9 17m-4.5-4.5H15a4.5 4.5 0 0 0 0-9h-2',
  warning: 'M12 4.5 3.5 19h17zM12 10v4m0 2.800h.01',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  refresh: 'M19 12a7 7 0 1 1-2-5l2 2m0-5v5h-5',
  settings: SETTINGS_OUTLINE,
  unread: 'M8 12a4 4 0 1 0 8 0 4 4 0 1 0-8 0',
  inbox: 'M4 14l2.5-8h11l2.5 8v4a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zm0 0h5l1 2h4l1-2h5',
  leave: 'M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4m5-4 4-4-4-4m4 4H9',
  look: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m8-8v16m2.500-15v14m2.500-12.500v11',
  keys: 'M5 6.500h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2m2.500 3.500h.01M12 10h.01m4.490 0h.01M8.500 14h7',
} as const;

type LazyIconName = keyof typeof OUTLINES;
export type AnyIconName = PostIconName | LazyIconName;

/** Icons that are mirrored in right-to-left languages. */
const MIRRORED_ICONS: ReadonlySet<LazyIconName> = new Set(['previous', 'next', 'undo']);

/** Renders any icon of the set, including those that `Icon` and `PostIcon` do not have. */
export function AnyIcon({ name, ...iconProps }: Omit<IconProps, 'name'> & { readonly name: AnyIconName }) {
  if (!isLazyIcon(name)) return <PostIcon name={name} {...iconProps} />;
  const isHeavy = name === 'grip' || name === 'more';
  return <Outline path={OUTLINES[name]} {...iconProps} flip={MIRRORED_ICONS.has(name)} heavy={isHeavy} />;
}

const isLazyIcon = (name: AnyIconName): name is LazyIconName => name in OUTLINES;
