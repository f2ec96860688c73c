// Generated from xlf/ru.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "867337": "Посты с другими файлами — в списке.",
  "b57ce1": "Показать список",
  "d6290e": "Пока нет фото и видео"
};
