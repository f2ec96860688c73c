import { Icon, type IconName, type IconProps, Outline } from './Icon.tsx';

/** Outlines of icons for files, players and code, in addition to those of the first load. */
const OUTLINES = {
  play: 'M8 5.5v13l10.5-6.5z',
  file: 'M13 4H6v16h12V9zm0 0v5h5',
  music: 'M9 17.5V6l10-2v11.5M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0m10-2a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  voice: 'M9.5 4.5a2.5 2.5 0 0 1 5 0v7a2.5 2.5 0 0 1-5 0zM6 11a6 6 0 0 0 12 0m-6 6v3',
  copy: 'M8 9h11v11H8zm8 0V5H5v11h3',
} as const;

type PostOnlyIconName = keyof typeof OUTLINES;
export type PostIconName = IconName | PostOnlyIconName;

/** Renders an icon of the first load, or one that posts use. */
export function PostIcon({ name, ...iconProps }: Omit<IconProps, 'name'> & { readonly name: PostIconName }) {
  return isPostOnlyIcon(name) ? <Outline path={OUTLINES[name]} {...iconProps} /> : <Icon name={name} {...iconProps} />;
}

const isPostOnlyIcon = (name: PostIconName): name is PostOnlyIconName => name in OUTLINES;
