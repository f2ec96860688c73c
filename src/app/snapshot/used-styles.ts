/* Critical CSS: the rules of a root's style sheets that apply to its content. */

/** Pseudo-elements, and pseudo-classes of a state: the rule may apply later. */
const STATE_PSEUDO =
  /::?(before|after|marker|placeholder|backdrop|selection|hover|focus(-visible|-within)?|active|visited|disabled|enabled|checked|open|popover-open|playing|paused|-webkit-[a-z-]+|-moz-[a-z-]+)\b(\([^()]*\))?/g;
/** Number of rules that are matched without a pause. */
const RULES_PER_SLICE = 60;

/** Returns the text of the rules that can apply to the content of `root`. Calls `pause` between slices of the work. */
export async function readUsedStyles(root: ShadowRoot, pause: () => Promise<void>): Promise<string> {
  let ruleCount = 0;
  const readRules = async (rules: CSSRuleList): Promise<string> => {
    let text = '';
    for (const rule of rules) {
      if (ruleCount++ % RULES_PER_SLICE === 0) await pause();
      if (rule instanceof CSSStyleRule) text += canApply(rule.selectorText, root) ? rule.cssText : '';
      else if (rule instanceof CSSGroupingRule) text += wrap(rule.cssText, await readRules(rule.cssRules));
      else text += rule.cssText;
    }
    return text;
  };
  let styles = '';
  for (const sheet of root.adoptedStyleSheets) styles += await readRules(sheet.cssRules);
  return styles;
}

/** Returns a grouping rule (such as `@media`) with other content; '' for no content. */
const wrap = (cssText: string, content: string): string =>
  content === '' ? '' : `${cssText.slice(0, cssText.indexOf('{'))}{${content}}`;

/** Returns true if a selector matches an element of `root`, in any state. Selectors with `:host` are not examined. */
function canApply(selector: string, root: ShadowRoot): boolean {
  if (/:host|::slotted/.test(selector)) return true;
  try {
    return root.querySelector(selector.replace(STATE_PSEUDO, '')) !== null;
  } catch {
    // Without the state, this is not a valid selector.
    return true;
  }
}
