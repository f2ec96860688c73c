/** Writes custom-elements.json (custom-elements-manifest 2.1) of what readElements gives; `folder` is where the tags' modules are. */
export function manifestOf(elements, folder) {
  return {
    schemaVersion: '2.1.0',
    readme: 'README.md',
    modules: elements.tags.map((tag) => moduleOf(tag, elements, folder)),
  };
}

function moduleOf(tag, elements, folder) {
  const path = `${folder}/${tag.tag}.js`;
  const name = classOf(tag.tag);
  return {
    kind: 'javascript-module',
    path,
    declarations: [{ kind: 'class', name, ...customElementOf(tag, elements) }],
    exports: [{ kind: 'custom-element-definition', name: tag.tag, declaration: { name, module: path } }],
  };
}

function customElementOf({ tag, words, slot, own, common }, { properties, events, parts, styles }) {
  const attributes = [...own, ...common];
  return {
    customElement: true,
    tagName: tag,
    description: words,
    superclass: { name: 'HTMLElement' },
    attributes: attributes.map(({ name, property, type, words }) => ({
      name,
      fieldName: property,
      type: { text: type },
      description: words,
    })),
    members: [
      ...attributes.map(({ name, property, type, words }) => ({
        kind: 'field',
        name: property,
        attribute: name,
        reflects: true,
        type: { text: `${type} | undefined` },
        description: words,
      })),
      ...properties.map(({ name, words }) => ({ kind: 'field', name, privacy: 'protected', description: words })),
    ],
    events: events.map(({ name, words, detail }) => ({
      name,
      type: { text: `CustomEvent<${typeOfDetail(detail)}>` },
      description: words,
    })),
    slots: [{ name: '', description: slot }],
    cssParts: parts.map(({ name, words }) => ({ name, description: words })),
    cssProperties: styles.map(({ name, standard, words }) => ({
      name,
      description: words,
      ...(standard !== null && { default: standard }),
    })),
  };
}

/** The type of an event's detail. */
export const typeOfDetail = (detail) =>
  `{ ${Object.entries(detail)
    .map(([name, [type]]) => `${name}: ${type}`)
    .join('; ')} }`;

/** changer-feed → ChangerFeedElement. */
export const classOf = (tag) => `${pascal(tag)}Element`;

/** changer-feed → ChangerFeed. */
export const pascal = (tag) => tag.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
