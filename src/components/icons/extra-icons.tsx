import { Outline } from './Icon.tsx';

/** Icons that only rare types of posts use. */
export const GIFT_ICON = (
  <Outline path="M4 9h16v4H4zm1.500 4h13v7h-13zM12 9v11M12 9c-1-3-2.500-4.500-4-4.500S5.500 8 8 9m4 0c1-3 2.500-4.500 4-4.500S18.500 8 16 9" />
);
export const LOCK_ICON = (
  <Outline path="M7 11h10a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1v-7a1 1 0 0 1 1-1m1.500 0V8a3.500 3.500 0 0 1 7 0v3" />
);
export const PRICE_ICON = <Outline path="M6 8h12l1 11a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1zm3 3V7a3 3 0 0 1 6 0v4" />;
export const STORY_ICON = (
  <Outline path="M12 4a8 8 0 0 1 8 8M20 12a8 8 0 0 1-2.300 5.600M14 19.700a8 8 0 0 1-10-7.700M4.600 9A8 8 0 0 1 9 4.600M9 12a3 3 0 1 0 6 0 3 3 0 1 0-6 0" />
);
export const GAME_ICON = (
  <Outline path="M8 8h8a5 5 0 0 1 5 5c0 2.500-1 4-2.500 4S15.500 15 14 15h-4c-1.500 0-3 2-4.500 2S3 15.500 3 13a5 5 0 0 1 5-5m0 3v3m-1.500-1.500h3m5.500-.500h.01m2 1.500h.01" />
);
export const UNCHECKED_ICON = <Outline path="M6 5h12a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1" small />;
export const CHECKED_ICON = (
  <Outline path="M6 5h12a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1m2.500 7 2.500 2.500 4.500-5" small />
);
