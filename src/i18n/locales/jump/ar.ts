// Generated from xlf/ar.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "66e3c6": "تُعرض منشورات هذا اليوم، أو أقرب ما سبقه.",
  "52c997": "عرض المنشورات"
};
