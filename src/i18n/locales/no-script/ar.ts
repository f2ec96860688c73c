// Generated from xlf/ar.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "cf74d9": "تحتاج هذه الصفحة إلى JavaScript. اسمح به في المتصفح ثم أعد تحميل الصفحة.",
  "41bbea": "اقرأ أحدث المنشورات بدون JavaScript"
};
