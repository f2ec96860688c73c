// Untranslated texts: a lint test that finds user-visible text without `msg()` and numbers or dates without `Intl`.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type * as Compiler from '@lit/localize-tools/node_modules/typescript';

/** The compiler that extracts the messages. Our version of TypeScript has no such interface. */
const ts: typeof Compiler = createRequire(createRequire(import.meta.url).resolve('@lit/localize-tools/lib/config.js'))(
  'typescript',
);

/** Attributes of elements and properties of our components that readers see or hear. */
const VISIBLE_ATTRIBUTES =
  /^(aria-(label|description|roledescription|valuetext|placeholder)|title|alt|placeholder|label|legend|heading|text|hint|note|summary)$/;
/** Texts that are the same in every language. */
const UNTRANSLATABLE = /^((https?:\/\/|example\.org\/)\S+|JSON)$/;
const isTranslatable = (text: string): boolean => /\p{L}/u.test(text) && !UNTRANSLATABLE.test(text);

describe('user-visible text', () => {
  const files = ['src', 'elements', 'examples'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  );
  for (const [rule, find] of [
    ['comes from msg()', untranslated],
    ['formats numbers and dates with Intl', unformatted],
  ] as const)
    it(rule, () => {
      const found = files
        .filter((name) => /\.tsx?$/.test(name) && !name.includes('/locales/'))
        .flatMap((name) => find(parse(name, readFileSync(name, 'utf8'))));
      assert.deepEqual(found, []);
    });

  it('is reported if it is untranslated or formatted without Intl', () => {
    const source = `
      const page = (
        <main aria-label="Posts" title={count > 1 ? 'Many' : m.msg('one')} lang="en">
          <h1>Hello</h1> <code>npm test</code> <b>{open && 'Open'}</b> <i>{\`\${n} posts\`}</i> <p>{m.number(n)}</p>
          <Sheet title="Settings" name="gear" /> <p>· 7 ·</p> <p>{posts.length} {row.unread}</p>
        </main>
      );
      document.title = 'Page';
      button.setAttribute('aria-label', 'Close');
      const size = bytes.toFixed(1) + date.toLocaleString() + new Intl.NumberFormat().format(1);
      const text = m.msg(str\`\${row.number} of \${m.number(total)}\`);`;
    const file = parse('page.tsx', source);
    assert.deepEqual(
      untranslated(file).map((line) => line.split(': ')[1]),
      ['Posts', 'Many', 'Hello', 'Open', 'posts', 'Settings', 'Page', 'Close'],
    );
    assert.deepEqual(
      unformatted(file).map((line) => line.split(': ')[1]),
      ['posts.length', 'row.unread', 'bytes.toFixed(1)', 'date.toLocaleString()', 'new Intl.NumberFormat()', 'row.number'],
    );
  });
});

const parse = (name: string, text: string) => ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);

/** Returns a line for each text that readers see and that does not come from msg(). */
function untranslated(file: Compiler.SourceFile): readonly string[] {
  return collect(file, isTranslatable, (node) => {
    if (ts.isJsxText(node)) return isCode(node.parent) ? [] : [node.text];
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) return isCode(node.parent) ? [] : textsOf(node.expression);
    if (ts.isJsxAttribute(node) && VISIBLE_ATTRIBUTES.test(node.name.getText())) return textsOf(node.initializer);
    if (ts.isBinaryExpression(node) && /\.(title|ariaLabel|textContent|innerText)$/.test(node.left.getText()))
      return node.operatorToken.kind === ts.SyntaxKind.EqualsToken ? textsOf(node.right) : [];
    if (ts.isCallExpression(node) && /\.setAttribute$/.test(node.expression.getText())) {
      const [name, value] = node.arguments;
      return name !== undefined && ts.isStringLiteral(name) && VISIBLE_ATTRIBUTES.test(name.text) ? textsOf(value) : [];
    }
    return [];
  });
}

/**
 * Returns a line for each number or date that is formatted without Intl: by its own method, or by a function that does not know
 * the locale of the reader.
 */
function unformatted(file: Compiler.SourceFile): readonly string[] {
  return collect(
    file,
    () => true,
    (node) => {
      if (ts.isCallExpression(node) && /\.(toFixed|toPrecision|toLocale(Date|Time)?String)$/.test(node.expression.getText()))
        return isCode(node.parent) || isCoordinate(node) ? [] : [node.getText()];
      if (ts.isNewExpression(node) && /^Intl\.\w+Format$/.test(node.expression.getText()))
        return /^(undefined|'.*'|\[\])?$/.test(node.arguments?.[0]?.getText() ?? '') ? [node.getText()] : [];
      const shown =
        (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) ||
        (ts.isTemplateSpan(node) && isMessage(node.parent.parent))
          ? (node.expression?.getText() ?? '')
          : '';
      return /^[\w.?!]*\b(count|total|length|size|unread|members|views|number|index)$/.test(shown) ? [shown] : [];
    },
  );
}

const isMessage = (node: Compiler.Node) => ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'str';

/** Coordinates of a map have the same format in every language. */
const isCoordinate = (node: Compiler.CallExpression) => /itude\.toFixed$/.test(node.expression.getText());

/** Returns the literal texts that an expression may evaluate to. Conditions, and arguments of a call, are not included. */
function textsOf(node: Compiler.Node | undefined): readonly string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node)) return textsOf(node.expression);
  if (ts.isConditionalExpression(node)) return [node.whenTrue, node.whenFalse].flatMap(textsOf);
  if (ts.isTemplateExpression(node)) return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)];
  if (!ts.isBinaryExpression(node)) return [];
  const both = [ts.SyntaxKind.PlusToken, ts.SyntaxKind.BarBarToken, ts.SyntaxKind.QuestionQuestionToken];
  if (both.includes(node.operatorToken.kind)) return [node.left, node.right].flatMap(textsOf);
  return node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken ? textsOf(node.right) : [];
}

/** Commands and keys are not translated. */
const isCode = (node: Compiler.Node): boolean =>
  ts.isJsxElement(node) && /^(code|kbd|pre|samp|style)$/.test(node.openingElement.tagName.getText());

type Find = (node: Compiler.Node) => readonly string[];

function collect(file: Compiler.SourceFile, isIncluded: (text: string) => boolean, find: Find): readonly string[] {
  const found: string[] = [];
  const visit = (node: Compiler.Node): void => {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    const texts = find(node).map((text) => text.replace(/\s+/g, ' ').trim());
    found.push(...texts.filter(isIncluded).map((text) => `${file.fileName}:${line + 1}: ${text}`));
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
