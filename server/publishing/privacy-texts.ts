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
        'The server stores nothing about you. Your line-up, your read marks, the posts that you mark as unread and your stars stay on this device, together with copies of posts for reading offline.',
        'The server reads a feed that you add for everyone who added it. It does not store who that was, and deletes the feed when nobody has requested it for 30 days.',
      ],
      [
        'Signed in with Telegram',
        'The server stores your Telegram id, name, username and language, to recognize you; your line-up with its mutes, muted words, presets and the addresses of the feeds you added, your read marks, the posts that you mark as unread and your stars, so that all your devices have them; the ids of your changes for 30 days, so that none is applied twice; the day of your last visit; and the time when you last ended your other sessions.',
        'A session ends a day after its last use. Only a hash of its key is stored. The server asks Telegram whether you are a member of a private channel, and remembers the answer for five minutes. It remembers that you are about to connect a channel, for an hour.',
        'The id of a person who adds the bot to a channel is stored with that channel. What operators do here is recorded by their id for a year; erasing an account does not erase this record.',
        'In the app, under “You” and “Your account”, you can see where you are signed in and end those sessions, download all of this data as a file, and erase it.',
      ],
      [
        'On this device',
        'The browser stores posts, small pictures, your line-up, marks, stars, searches and changes that wait for the network (IndexedDB); until the tab is closed, the key of your session, your id and the data that Telegram passed when it opened the app (sessionStorage); and the time of the first visit from this device, the id of the last person who signed in, the language and other choices, such as not to add an icon to the home screen (localStorage). Signing out deletes your data.',
        'One cookie, XSRF-TOKEN, contains a random value that shows that a change comes from this app. It is deleted when the browser is closed.',
      ],
      [
        'Notifications',
        'If you turn notifications on, the server stores the channels and words that you choose, your quiet hours and time zone, and for each device the address and keys of its push service, the language, and the name of the browser and system. Without an account, nothing else is stored with them. A device is deleted when you turn notifications off, when its push service reports that it is gone, or after 90 days without a visit.',
        'Messages are encrypted for your device: the push service of your browser can see when a message comes, and not what it contains. If you choose the bot, Telegram delivers the messages.',
      ],
      [
        'What is not stored',
        'No searches, no list of what you opened, no advertising and no third-party analytics. The address of your device is counted in memory to prevent overload, for an hour at most, and is not recorded anywhere. The server’s log contains neither your name nor what you search for.',
      ],
    ],
    retention: [
      'If you do not visit for {days} days, everything that the server stores about you is erased, except for the record of operators. A person who added the bot and never signed in is forgotten after the same time, unless the channel still waits to be accepted.',
      'What the server stores about you stays until it is erased.',
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
        'Сервер хранит ваш идентификатор, имя, имя пользователя и язык в Telegram, чтобы узнать вас снова; ваш список каналов с отключениями звука, скрытыми словами, подборками и адресами добавленных вами лент, отметки о прочитанном, записи, отмеченные непрочитанными, и избранное, чтобы они были на всех ваших устройствах; идентификаторы ваших изменений в течение 30 дней, чтобы ни одно не выполнилось дважды; день вашего последнего посещения; и время, когда вы в последний раз завершили сеансы из другого сеанса.',
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
        'Уведомления',
        'Если вы включаете уведомления, сервер хранит выбранные вами каналы и слова, тихие часы и часовой пояс, а для каждого устройства — адрес и ключи его службы уведомлений, язык и название браузера и системы. Без входа вместе с ними не хранится ничего другого. Устройство удаляется, когда вы отключаете уведомления, когда служба сообщает, что его больше нет, или через 90 дней без посещения.',
        'Сообщения зашифрованы для вашего устройства: служба уведомлений браузера видит, когда приходит сообщение, но не его содержание. Если вы выбираете бота, сообщения доставляет Telegram.',
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
        'يحفظ الخادم معرّفك واسمك واسم المستخدم ولغتك في تيليجرام كي يعرفك من جديد؛ وقائمة قنواتك بما كتمته منها والكلمات المكتومة والمجموعات وعناوين الخلاصات التي أضفتها، وعلامات القراءة والمنشورات المعلَّمة كغير مقروءة والنجوم، كي تجدها على كل أجهزتك؛ ومعرّفات تغييراتك مدة ٣٠ يومًا كي لا يُنفَّذ تغيير مرتين؛ واليوم الذي زرت فيه آخر مرة؛ والوقت الذي أنهيت فيه آخر مرة جلسات من جلسة أخرى.',
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
        'الإشعارات',
        'إن فعّلت الإشعارات حفظ الخادم القنوات والكلمات التي تختارها وساعات الهدوء ومنطقتك الزمنية، ولكل جهاز عنوان خدمة الإشعارات ومفاتيحها واللغة واسم المتصفح والنظام. ومن دون حساب لا يُحفظ معها شيء آخر. يُحذف الجهاز عندما توقف الإشعارات، أو عندما تفيد الخدمة بأنه لم يعد موجودًا، أو بعد ٩٠ يومًا من دون زيارة.',
        'الرسائل مشفّرة لجهازك: ترى خدمة الإشعارات في متصفحك متى تصل الرسالة، ولا ترى ما فيها. وإن اخترت البوت فإن تيليجرام هو من يوصل الرسائل.',
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
