// Generated from xlf/ar.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "642123": "الأكبر",
  "0748f2": "أكبر",
  "26316f": "فاتح",
  "adebec": "صغير",
  "6ba983": "حجم النص",
  "841c47": "كما في تيليجرام",
  "9ec412": "يُحفظ على هذا الجهاز.",
  "3f75c8": "كما في الجهاز",
  "f88d52": "عادي",
  "cfe712": "السمة",
  "350ac5": "داكن",
  "0222ec": "أ",
  "80e634": "كبير"
};
