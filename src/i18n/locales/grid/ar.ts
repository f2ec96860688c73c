// Generated from xlf/ar.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "867337": "المنشورات التي تحتوي على ملفات أخرى موجودة في القائمة.",
  "b57ce1": "عرض القائمة",
  "d6290e": "لا توجد صور أو مقاطع فيديو بعد"
};
