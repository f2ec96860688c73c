/* HTML sanitizer for prerendered HTML. */

/** Elements that could run code, load resources or send data by themselves. No prerendered HTML contains them. */
const UNSAFE_ELEMENTS = 'script,style,link,meta,base,iframe,frame,object,embed,applet,portal,template,animate,set,use';
/** URL attributes that our HTML uses. */
const URL_ATTRIBUTES = ['href', 'src', 'srcset', 'poster', 'cite'];
/**
 * Event handlers, namespaced attributes such as `xlink:href`, and other attributes that could run code or send
 * requests.
 */
const UNSAFE_ATTRIBUTE = /^on|:|^(action|formaction|srcdoc|style|ping|background|data|values|to|from)$/;

/**
 * Sanitizes prerendered HTML: removes everything that can run code. A site that pins the script by its hash, or bundles
 * it, trusts that script and not the later responses of its server.
 */
export function sanitizePrerender(prerendered: Element): void {
  for (const element of prerendered.querySelectorAll(UNSAFE_ELEMENTS)) element.remove();
  for (const element of [prerendered, ...prerendered.querySelectorAll('*')])
    for (const { name, value } of [...element.attributes]) {
      const isAllowed = URL_ATTRIBUTES.includes(name) ? urlsOf(name, value).every(isSafeUrl) : !UNSAFE_ATTRIBUTE.test(name);
      if (!isAllowed) element.removeAttribute(name);
    }
}

/** Returns the URLs of an attribute. `srcset` may have several, each with a width or a density. */
const urlsOf = (name: string, value: string): string[] =>
  name === 'srcset' ? value.split(/[\s,]+/).filter((part) => !/^([\d.]+[wx])?$/.test(part)) : [value];

/**
 * Returns whether a URL is safe: a web, mail or phone address, a path or fragment of the page, or an inline raster
 * image.
 */
const isSafeUrl = (address: string): boolean => /^(https?:|mailto:|tel:|\/|#|data:image\/(png|jpeg|webp|gif);)/i.test(address);
