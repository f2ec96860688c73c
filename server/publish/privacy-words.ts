/** What the page says, a title and paragraphs for each matter; `{days}` is RETENTION_DAYS. It says what ARCHITECTURE.md's table says. */
export interface PrivacyWords {
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  readonly title: string;
  readonly matters: readonly (readonly [title: string, ...paragraphs: readonly string[]])[];
  /** What becomes of a reader who does not come again; the second where it is never. */
  readonly retention: readonly [erased: string, kept: string];
}

export const PRIVACY_WORDS = {
  en: {
    name: 'English',
    dir: 'ltr',
    title: 'What is kept of you',
    matters: [
      [
        'Reading without an account',
        'The server keeps nothing of you. Your line-up, your read marks and your stars stay on this device, and so do copies of posts for reading offline.',
      ],
      [
        'Signed in with Telegram',
        'The server keeps your Telegram id, name, username and language, so that you are known again; the channels of your line-up, your read marks and your stars, so that all your devices have them; the names of your changes for 30 days, so that none is made twice; and the day on which you last came.',
        'A session ends a day after its last use. Of its key only a hash is kept. Whether you are a member of a private channel is asked of Telegram and remembered for five minutes.',
        'Whoever runs channels here leaves a record of what was done, by id, for a year.',
        'In the app, under “You” and “Your account”, you see where you are signed in and end it, have all of this as a file, and erase it.',
      ],
      [
        'On this device',
        'Posts, small pictures, your line-up, marks, stars and searches are kept in the browser. Signing out deletes what is yours.',
      ],
      [
        'What is not kept',
        'No addresses of your device, no searches, no list of what you have opened, no advertising and no counting by others. The server’s log has neither your name nor what you search for.',
      ],
    ],
    retention: [
      'If you do not come for {days} days, everything that the server keeps of you is erased.',
      'What the server keeps of you stays until it is erased.',
    ],
  },
  ru: {
    name: 'Русский',
    dir: 'ltr',
    title: 'Что о вас хранится',
    matters: [
      [
        'Без входа',
        'Сервер о вас ничего не хранит. Список каналов, отметки о прочитанном и избранное остаются на этом устройстве, как и копии записей для чтения без сети.',
      ],
      [
        'После входа через Telegram',
        'Сервер хранит ваш идентификатор, имя, имя пользователя и язык в Telegram, чтобы узнать вас снова; каналы вашего списка, отметки о прочитанном и избранное, чтобы они были на всех ваших устройствах; названия ваших изменений в течение 30 дней, чтобы ни одно не выполнилось дважды; и день вашего последнего посещения.',
        'Сеанс заканчивается через день после последнего использования. От его ключа хранится только хеш. Состоите ли вы в закрытом канале, сервер спрашивает у Telegram и помнит пять минут.',
        'Если вы управляете каналами, запись о ваших действиях хранится год под вашим идентификатором.',
        'В приложении, в разделе «Вы» → «Ваш аккаунт», видно, где вы вошли, и можно там выйти, получить всё это файлом и стереть.',
      ],
      [
        'На этом устройстве',
        'Записи, небольшие картинки, список каналов, отметки, избранное и поиски хранятся в браузере. При выходе всё ваше удаляется.',
      ],
      [
        'Что не хранится',
        'Ни адресов вашего устройства, ни поисковых запросов, ни списка открытого; нет рекламы и чужих счётчиков. В журнале сервера нет ни вашего имени, ни ваших поисковых запросов.',
      ],
    ],
    retention: [
      'Если вы не заходите {days} дн., всё, что сервер о вас хранит, стирается.',
      'То, что сервер о вас хранит, остаётся, пока не будет стёрто.',
    ],
  },
  ar: {
    name: 'العربية',
    dir: 'rtl',
    title: 'ما الذي يُحفظ عنك',
    matters: [
      [
        'القراءة من دون حساب',
        'لا يحفظ الخادم عنك شيئًا. تبقى قائمة قنواتك وعلامات القراءة والمنشورات المميَّزة بنجمة على هذا الجهاز، وكذلك نسخ المنشورات للقراءة من دون اتصال.',
      ],
      [
        'بعد تسجيل الدخول عبر تيليجرام',
        'يحفظ الخادم معرّفك واسمك واسم المستخدم ولغتك في تيليجرام كي يعرفك من جديد؛ وقنوات قائمتك وعلامات القراءة والنجوم كي تجدها على كل أجهزتك؛ وأسماء تغييراتك مدة ٣٠ يومًا كي لا يُنفَّذ تغيير مرتين؛ واليوم الذي زرت فيه آخر مرة.',
        'تنتهي الجلسة بعد يوم من آخر استعمال لها، ولا يُحفظ من مفتاحها سوى بصمة. أما عضويتك في قناة خاصة فيُسأل عنها تيليجرام ويُحفظ الجواب خمس دقائق.',
        'من يدير قنوات هنا يبقى سجلّ ما فعله سنة واحدة بمعرّفه.',
        'في التطبيق، تحت «أنت» ثم «حسابك»، ترى أين سجّلت الدخول وتنهيه، وتحصل على كل هذا ملفًا، وتمحوه.',
      ],
      [
        'على هذا الجهاز',
        'تُحفظ المنشورات والصور الصغيرة وقائمتك وعلاماتك ونجومك وعمليات بحثك في المتصفح. تسجيل الخروج يحذف ما يخصّك.',
      ],
      [
        'ما لا يُحفظ',
        'لا عناوين جهازك، ولا عمليات بحثك، ولا قائمة بما فتحته، ولا إعلانات، ولا عدّادات من جهات أخرى. لا يحوي سجلّ الخادم اسمك ولا ما تبحث عنه.',
      ],
    ],
    retention: ['إن لم تزر الموقع مدة {days} يومًا مُحي كل ما يحفظه الخادم عنك.', 'ما يحفظه الخادم عنك يبقى إلى أن يُمحى.'],
  },
} as const satisfies Readonly<Record<string, PrivacyWords>>;
