// Generated from xlf/ru.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "cf74d9": "Для этой страницы нужен JavaScript. Разрешите его в браузере и загрузите страницу ещё раз.",
  "41bbea": "Читать новые посты без JavaScript"
};
