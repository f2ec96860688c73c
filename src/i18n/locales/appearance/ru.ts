// Generated from xlf/ru.xlf by `npm run fix`. Not to be edited.
export const templates: Record<string, string> = {
  "642123": "Самый крупный",
  "0748f2": "Ещё крупнее",
  "26316f": "Светлая",
  "adebec": "Мелкий",
  "6ba983": "Размер текста",
  "841c47": "Как в Telegram",
  "9ec412": "Хранится на этом устройстве.",
  "3f75c8": "Как на устройстве",
  "f88d52": "Обычный",
  "cfe712": "Тема",
  "350ac5": "Тёмная",
  "0222ec": "А",
  "80e634": "Крупный"
};
