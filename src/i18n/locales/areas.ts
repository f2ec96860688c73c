// Generated from lit-localize.json by `npm run fix`. Not to be edited.
export const areas = {
'account': {
  'ru': () => import('./account/ru.ts'),
  'ar': () => import('./account/ar.ts'),
},
'appearance': {
  'ru': () => import('./appearance/ru.ts'),
  'ar': () => import('./appearance/ar.ts'),
},
'arranging': {
  'ru': () => import('./arranging/ru.ts'),
  'ar': () => import('./arranging/ar.ts'),
},
'exchange': {
  'ru': () => import('./exchange/ru.ts'),
  'ar': () => import('./exchange/ar.ts'),
},
'grid': {
  'ru': () => import('./grid/ru.ts'),
  'ar': () => import('./grid/ar.ts'),
},
'jump': {
  'ru': () => import('./jump/ru.ts'),
  'ar': () => import('./jump/ar.ts'),
},
'keys': {
  'ru': () => import('./keys/ru.ts'),
  'ar': () => import('./keys/ar.ts'),
},
'notifications': {
  'ru': () => import('./notifications/ru.ts'),
  'ar': () => import('./notifications/ar.ts'),
},
'operator': {
  'ru': () => import('./operator/ru.ts'),
  'ar': () => import('./operator/ar.ts'),
},
'saved': {
  'ru': () => import('./saved/ru.ts'),
  'ar': () => import('./saved/ar.ts'),
},
'search': {
  'ru': () => import('./search/ru.ts'),
  'ar': () => import('./search/ar.ts'),
},
'self-test': {
  'ru': () => import('./self-test/ru.ts'),
  'ar': () => import('./self-test/ar.ts'),
},
};
