// Generated from xlf/ru.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "66e3c6": "Покажет посты за этот день или ближайшие до него.",
  "52c997": "Показать посты"
};
