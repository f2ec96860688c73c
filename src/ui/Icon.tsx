/** Outlines on a 24 unit square, drawn for this product; `flip` names those that follow the reading direction. */
const OUTLINES = {
  search: 'M4 11a7 7 0 1 0 14 0 7 7 0 1 0-14 0m16 9-4-4',
  star: 'm12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  share: 'M12 15V4m0 0L8 8m4-4 4 4M5 13v5a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-5',
  out: 'M14 4h6v6m0-6-9 9M18 14v4a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2h4',
  feed: 'M4 6h16M4 12h16M4 18h10',
  dial: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m8 0 3.5-3.5',
  check: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m5 .5 2.2 2.5 4.3-5.5',
  done: 'M5 12.5 10 17l9-10',
  up: 'm6 15 6-6 6 6',
  down: 'm6 9 6 6 6-6',
  previous: 'm15 6-6 6 6 6',
  next: 'm9 6 6 6-6 6',
  grip: 'M9 7h.01M15 7h.01M9 12h.01M15 12h.01M9 17h.01M15 17h.01',
  close: 'm6 6 12 12M18 6 6 18',
  play: 'M8 5.5v13l10.5-6.5z',
  pin: 'M9 4h6l-1 6 3 3v2H7v-2l3-3zm3 11v5',
  file: 'M13 4H8a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2V9zm0 0v5h5',
  music: 'M9 17.5V6l10-2v11.5M9 17.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0m10-2a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0',
  voice: 'M9.5 4.5a2.5 2.5 0 0 1 5 0v7a2.5 2.5 0 0 1-5 0zM6 11a6 6 0 0 0 12 0m-6 6v3',
  place: 'M12 21s7-6.2 7-11.5a7 7 0 0 0-14 0C5 14.8 12 21 12 21m-2.5-11.5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 1 0-5 0',
  person: 'M8 8a4 4 0 1 0 8 0 4 4 0 1 0-8 0M4.5 20a7.5 7.5 0 0 1 15 0',
  poll: 'M6 20v-6m6 6V4m6 16V10',
  copy: 'M9 9h9a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1m7 0V6a1 1 0 0 0-1-1H6a1 1 0 0 0-1 1v9a1 1 0 0 0 1 1h2',
  photo: 'M5 5h14a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1m-1 11 5-5 4 4 3-3 4 4M14.5 9h.01',
  bell: 'M6 17V11a6 6 0 0 1 12 0v6l1.5 2h-15zm4.5 4.5h3',
  mute: 'M6 17v-6a6 6 0 0 1 .8-3M9.5 5.5A6 6 0 0 1 18 11v4m-1 4H4.5L6 17m4.5 4.5h3M4 4l16 16',
  undo: 'M9 8 4.5 12.5 9 17m-4.5-4.5H15a4.5 4.5 0 0 0 0-9h-2',
  plus: 'M12 5v14M5 12h14',
  back: 'M20 12H5m6-7-7 7 7 7',
  reply: 'M10 7 5 12l5 5m-5-5h8a6 6 0 0 1 6 6',
  forward: 'm14 7 5 5-5 5m5-5h-8a6 6 0 0 0-6 6',
  offline: 'M4 4l16 16M8.5 16.5a5 5 0 0 1 6-.8M5 12.5a10 10 0 0 1 4-2.5m4-.4a10 10 0 0 1 6 2.9M12 20h.01',
  lock: 'M7 11h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1m1.5 0V8a3.5 3.5 0 0 1 7 0v3',
  globe: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m0 0h16M12 4c2.5 2.3 3.5 5 3.5 8s-1 5.7-3.5 8c-2.5-2.3-3.5-5-3.5-8s1-5.7 3.5-8',
  warning: 'M12 4.5 3.5 19h17zM12 10v4m0 2.800h.01',
  info: 'M4 12a8 8 0 1 0 16 0 8 8 0 1 0-16 0m8-.5V16m0-8h.01',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  refresh: 'M19 12a7 7 0 1 1-2-5l2 2m0-5v5h-5',
  settings: 'M5 7h8m4 0h2M5 17h2m4 0h8M13 7a2 2 0 1 0 4 0 2 2 0 1 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  telegram: 'M20.5 4.5 3.5 11l5.5 2.5 2 6 3-4 4.5 3.5zM9 13.5 20.5 4.5',
  'sign-out': 'M13 5H6a1 1 0 0 0-1 1v12a1 1 0 0 0 1 1h7m-3-7h10m-3.5-3.5L20 12l-3.5 3.5',
  starred: 'm12 4 2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  inbox: 'M4 14l2.5-8h11l2.5 8v4a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1zm0 0h5l1 2h4l1-2h5',
  leave: 'M10 4H6a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h4m5-4 4-4-4-4m4 4H9',
  keys: 'M5 6.500h14a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2m2.500 3.500h.01M12 10h.01m4.490 0h.01M8.500 14h7',
} as const;

export type IconName = keyof typeof OUTLINES;

const FLIPPED: ReadonlySet<IconName> = new Set([
  'out',
  'previous',
  'next',
  'undo',
  'back',
  'reply',
  'forward',
  'feed',
  'sign-out',
]);

interface IconProps {
  readonly name: IconName;
  readonly small?: boolean;
  readonly filled?: boolean;
}

/** Draws one icon of the family; it has no name of its own, its control has. */
export function Icon({ name, small = false, filled = false }: IconProps) {
  const classes = ['i', small && 'small', FLIPPED.has(name) && 'flip', (name === 'grip' || name === 'more') && 'heavy']
    .filter(Boolean)
    .join(' ');
  return (
    <svg viewBox="0 0 24 24" className={classes} aria-hidden="true" {...(filled ? { fill: 'currentColor' } : {})}>
      <path d={OUTLINES[name]} {...(filled ? { fill: 'currentColor' } : {})} />
    </svg>
  );
}
