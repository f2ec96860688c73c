/**
 * Privacy page texts: a title and paragraphs for each subject. `{days}` is RETENTION_DAYS. The table is in
 * docs/data-retention.md.
 */
export interface PrivacyTexts {
  readonly name: string;
  readonly dir: 'ltr' | 'rtl';
  readonly title: string;
  readonly sections: readonly (readonly [title: string, ...paragraphs: readonly string[]])[];
  /** Text on inactive readers; the second one if they are never deleted. */
  readonly retention: readonly [limited: string, unlimited: string];
}

export const PRIVACY_TEXTS = {
  en: {
    name: 'English',
    dir: 'ltr',
    title: 'What is stored about you',
    sections: [
      [
        'Reading without an account',
        'The server keeps nothing of you. Your line-up, your read marks, the posts that you mark as unread and your stars stay on this device, and so do copies of posts for reading offline.',
        'A feed that you add is read for everyone who adds it. Who that was is not kept with it, and it goes when nobody has wanted it for 30 days.',
      ],
      [
        'Signed in with Telegram',
        'The server keeps your Telegram id, name, username and language, so that you are known again; your line-up with its mutes, muted words, presets and the addresses of the feeds you added, your read marks, the posts that you mark as unread and your stars, so that all your devices have them; the names of your changes for 30 days, so that none is made twice; the day on which you last came; and when you last ended sessions from another one.',
        'A session ends a day after its last use. Of its key only a hash is kept. Whether you are a member of a private channel is asked of Telegram and remembered for five minutes; that you are about to connect a channel, for an hour.',
        'Whoever adds the bot to a channel is kept by id with that channel. Whoever runs channels here leaves a record of what was done, by id, for a year; erasing leaves that record.',
        'In the app, under “You” and “Your account”, you see where you are signed in and end it, have all of this as a file, and erase it.',
      ],
      [
        'On this device',
        'The browser keeps posts, small pictures, your line-up, marks, stars, searches and changes that wait for the network (IndexedDB); until the tab is closed, the key of your session, your id and what Telegram handed over when it opened the app (sessionStorage); and when this device first came, the id of whoever signed in last, the language and other choices, such as a no to the home screen (localStorage). Signing out deletes what is yours.',
        'One cookie, XSRF-TOKEN, holds a random word by which a change is known to come from this app. It goes when the browser is closed.',
      ],
      [
        'What is not kept',
        'No searches, no list of what you have opened, no advertising and no counting by others. The address of your device is counted in memory against floods, for an hour at most, and written down nowhere. The server’s log has neither your name nor what you search for.',
      ],
    ],
    retention: [
      'If you do not come for {days} days, everything that the server keeps of you is erased but for that record. Who added the bot and never signed in is forgotten after as long, unless the channel still waits to be accepted.',
      'What the server keeps of you stays until it is erased.',
    ],
  },
  ru: {
    name: 'Русский',
    dir: 'ltr',
    title: 'Что о вас хранится',
    sections: [
      [
        'Без входа',
        'Сервер о вас ничего не хранит. Список каналов, отметки о прочитанном, записи, отмеченные непрочитанными, и избранное остаются на этом устройстве, как и копии записей для чтения без сети.',
        'Добавленную вами ленту сервер читает для всех, кто её добавил. Кто это был, при ней не хранится, а если она 30 дней никому не нужна, она удаляется.',
      ],
      [
        'После входа через Telegram',
        'Сервер хранит ваш идентификатор, имя, имя пользователя и язык в Telegram, чтобы узнать вас снова; ваш список каналов с отключениями звука, скрытыми словами, подборками и адресами добавленных вами лент, отметки о прочитанном, записи, отмеченные непрочитанными, и избранное, чтобы они были на всех ваших устройствах; названия ваших изменений в течение 30 дней, чтобы ни одно не выполнилось дважды; день вашего последнего посещения; и время, когда вы в последний раз завершили сеансы из другого сеанса.',
        'Сеанс заканчивается через день после последнего использования. От его ключа хранится только хеш. Состоите ли вы в закрытом канале, сервер спрашивает у Telegram и помнит пять минут, а то, что вы собираетесь подключить канал, — час.',
        'Идентификатор того, кто добавил в канал бота, хранится при этом канале. Если вы управляете каналами, запись о ваших действиях хранится год под вашим идентификатором; стирание её не затрагивает.',
        'В приложении, в разделе «Вы» → «Ваш аккаунт», видно, где вы вошли, и можно там выйти, получить всё это файлом и стереть.',
      ],
      [
        'На этом устройстве',
        'В браузере хранятся записи, небольшие картинки, список каналов, отметки, избранное, поиски и изменения, которые ждут сети (IndexedDB); до закрытия вкладки — ключ сеанса, ваш идентификатор и то, что передал Telegram при открытии приложения (sessionStorage); а также время первого посещения с этого устройства, идентификатор того, кто вошёл последним, язык и другие настройки, например отказ от значка на главном экране (localStorage). При выходе всё ваше удаляется.',
        'Один файл cookie, XSRF-TOKEN, содержит случайное слово: по нему видно, что изменение сделано из этого приложения. Он исчезает при закрытии браузера.',
      ],
      [
        'Что не хранится',
        'Ни поисковых запросов, ни списка открытого; нет рекламы и чужих счётчиков. Адрес вашего устройства учитывается только в памяти, для защиты от перегрузки, не дольше часа, и нигде не записывается. В журнале сервера нет ни вашего имени, ни ваших поисковых запросов.',
      ],
    ],
    retention: [
      'Если вы не заходите {days} дн., всё, что сервер о вас хранит, стирается, кроме этой записи. Кто добавил бота, но ни разу не вошёл, забывается через такой же срок, если канал больше не ждёт одобрения.',
      'То, что сервер о вас хранит, остаётся, пока не будет стёрто.',
    ],
  },
  ar: {
    name: 'العربية',
    dir: 'rtl',
    title: 'ما الذي يُحفظ عنك',
    sections: [
      [
        'القراءة من دون حساب',
        'لا يحفظ الخادم عنك شيئًا. تبقى قائمة قنواتك وعلامات القراءة والمنشورات المعلَّمة كغير مقروءة والمنشورات المميَّزة بنجمة على هذا الجهاز، وكذلك نسخ المنشورات للقراءة من دون اتصال.',
        'الخلاصة التي تضيفها تُقرأ لكل من أضافها، ولا يُحفظ معها مَن أضافها، وتُحذف إن لم يطلبها أحد مدة ٣٠ يومًا.',
      ],
      [
        'بعد تسجيل الدخول عبر تيليجرام',
        'يحفظ الخادم معرّفك واسمك واسم المستخدم ولغتك في تيليجرام كي يعرفك من جديد؛ وقائمة قنواتك بما كتمته منها والكلمات المكتومة والمجموعات وعناوين الخلاصات التي أضفتها، وعلامات القراءة والمنشورات المعلَّمة كغير مقروءة والنجوم، كي تجدها على كل أجهزتك؛ وأسماء تغييراتك مدة ٣٠ يومًا كي لا يُنفَّذ تغيير مرتين؛ واليوم الذي زرت فيه آخر مرة؛ والوقت الذي أنهيت فيه آخر مرة جلسات من جلسة أخرى.',
        'تنتهي الجلسة بعد يوم من آخر استعمال لها، ولا يُحفظ من مفتاحها سوى بصمة. أما عضويتك في قناة خاصة فيُسأل عنها تيليجرام ويُحفظ الجواب خمس دقائق، وعزمك على ربط قناة يُحفظ ساعة.',
        'من يضيف البوت إلى قناة يُحفظ معرّفه مع تلك القناة. ومن يدير قنوات هنا يبقى سجلّ ما فعله سنة واحدة بمعرّفه، ولا يشمله المحو.',
        'في التطبيق، تحت «أنت» ثم «حسابك»، ترى أين سجّلت الدخول وتنهيه، وتحصل على كل هذا ملفًا، وتمحوه.',
      ],
      [
        'على هذا الجهاز',
        'يحفظ المتصفح المنشورات والصور الصغيرة وقائمتك وعلاماتك ونجومك وعمليات بحثك والتغييرات التي تنتظر الاتصال (IndexedDB)؛ ويحفظ حتى إغلاق علامة التبويب مفتاح جلستك ومعرّفك وما سلّمه تيليجرام عند فتح التطبيق (sessionStorage)؛ ووقت أول زيارة من هذا الجهاز ومعرّف آخر من سجّل الدخول واللغة وخيارات أخرى، مثل رفض الإضافة إلى الشاشة الرئيسية (localStorage). تسجيل الخروج يحذف ما يخصّك.',
        'ملف تعريف ارتباط واحد، XSRF-TOKEN، فيه كلمة عشوائية يُعرف بها أن التغيير جاء من هذا التطبيق، ويزول عند إغلاق المتصفح.',
      ],
      [
        'ما لا يُحفظ',
        'لا عمليات بحثك، ولا قائمة بما فتحته، ولا إعلانات، ولا عدّادات من جهات أخرى. عنوان جهازك يُعدّ في الذاكرة وحدها للحماية من الإغراق، ساعة على الأكثر، ولا يُكتب في أي مكان. لا يحوي سجلّ الخادم اسمك ولا ما تبحث عنه.',
      ],
    ],
    retention: [
      'إن لم تزر الموقع مدة {days} يومًا مُحي كل ما يحفظه الخادم عنك عدا ذلك السجلّ. ومن أضاف البوت ولم يسجّل الدخول قط يُنسى بعد مدة مثلها، ما لم تكن القناة لا تزال تنتظر القبول.',
      'ما يحفظه الخادم عنك يبقى إلى أن يُمحى.',
    ],
  },
} as const satisfies Readonly<Record<string, PrivacyTexts>>;
