/** Elements that could run, load or send by themselves. No drawing has one. */
const UNSAFE = 'script,style,link,meta,base,iframe,frame,object,embed,applet,portal,template,animate,set,use';
/** The attributes of ours that lead somewhere. */
const ADDRESSES = ['href', 'src', 'srcset', 'poster', 'cite'];

/**
 * Leaves nothing in a drawing that runs: a site that holds a script to its hash, or bundles it, trusts that script and not
 * whatever its server answers later.
 */
export function cleanDrawing(drawn: Element): void {
  for (const element of drawn.querySelectorAll(UNSAFE)) element.remove();
  for (const element of [drawn, ...drawn.querySelectorAll('*')])
    for (const { name, value } of [...element.attributes]) {
      const leads = ADDRESSES.includes(name);
      const isKnown = leads
        ? isHarmless(value)
        : !/^on|:|^(action|formaction|srcdoc|style|ping|background|data|values|to|from)$/.test(name);
      if (!isKnown) element.removeAttribute(name);
    }
}

/** An address of the web, a mail or a call, a place on the page, or several pictures of the web. */
const isHarmless = (address: string): boolean => /^(https?:|mailto:|tel:|\/|#|data:image\/(png|jpeg|webp|gif);)/i.test(address);
