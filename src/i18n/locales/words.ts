// Generated from lit-localize.json by `npm run fix`. Not to be edited.
export const words = {
  'ru': () => import('./ru.ts'),
  'ar': () => import('./ar.ts'),
};
