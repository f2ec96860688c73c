import { relative } from 'node:path';
import { readConfigFileAndWriteSchema } from '@lit/localize-tools/lib/config.js';
import { KnownError } from '@lit/localize-tools/lib/error.js';
import { RuntimeLitLocalizer } from '@lit/localize-tools/lib/modes/runtime.js';
import { extractMessagesFromProgram } from '@lit/localize-tools/lib/program-analysis.js';
import { stringifyDiagnostics } from '@lit/localize-tools/lib/typescript.js';

/**
 * The parts of the app that few readers open. What is said in one of them alone goes into modules of its own,
 * `<outputDir>/<area>/<locale>.ts`, which src/i18n/words.ts loads with it; all else is in everybody's `<outputDir>/<locale>.ts`.
 */
export const AREAS = {
  operator: ['src/pages/dial/operator/', 'src/pages/posts/HideAction.tsx'],
  'self-test': ['src/pages/self-test/', 'src/pages/SelfTestPage.tsx'],
};

/** Reads lit-localize's settings. */
export const readConfig = () => readConfigFileAndWriteSchema('lit-localize.json');

/**
 * Extracts every message into the files for translators, one a language, and generates the modules. Throws where a message or
 * its translation is malformed.
 */
export async function translate(config) {
  const whole = new RuntimeLitLocalizer(config);
  const { messages, errors } = whole.extractSourceMessages();
  if (errors.length > 0) throw new KnownError(stringifyDiagnostics(errors));
  await whole.writeInterchangeFiles();
  const areas = areasOf(whole.program, config);
  await new Part(config, messages, ({ name }) => areas.get(name) === '').build();
  for (const area of Object.keys(AREAS)) {
    const output = { ...config.output, outputDir: `${config.output.outputDir}/${area}`, localeCodesModule: undefined };
    await new Part({ ...config, output }, messages, ({ name }) => areas.get(name) === area).build();
  }
}

/** Gives the area that each message is said in, by the message's id: '' where it is said in several, or outside of all. */
function areasOf(program, config) {
  const areas = new Map();
  for (const file of program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile)) {
    const said = relative(config.resolve('.'), file.fileName);
    const area = Object.keys(AREAS).find((name) => AREAS[name].some((path) => said.startsWith(path)));
    for (const { name } of extractMessagesFromProgram({ ...program, getSourceFiles: () => [file] }).messages)
      areas.set(name, areas.has(name) && areas.get(name) !== area ? '' : (area ?? ''));
  }
  return areas;
}

/** Generates the modules of some messages. */
class Part extends RuntimeLitLocalizer {
  constructor(config, messages, isOwn) {
    super(config);
    this.isOwn = isOwn;
    this.messages = messages.filter(isOwn);
  }

  extractSourceMessages() {
    return { messages: this.messages, errors: [] };
  }

  readTranslationsSync() {
    const { translations } = super.readTranslationsSync();
    return { translations: new Map([...translations].map(([locale, messages]) => [locale, messages.filter(this.isOwn)])) };
  }
}
