/**
 * Custom elements manifest: returns the content of `custom-elements.json` (schema of custom-elements-manifest 2.1) for
 * the result of `readElements`. `folder` is the folder of the tags' modules.
 */
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

function customElementOf({ tag, description, slot, own, common }, { properties, events, parts, styles }) {
  const attributes = [...own, ...common];
  return {
    customElement: true,
    tagName: tag,
    description,
    superclass: { name: 'HTMLElement' },
    attributes: attributes.map(({ name, property, type, description }) => ({
      name,
      fieldName: property,
      type: { text: type },
      description,
    })),
    members: [
      ...attributes.map(({ name, property, type, description }) => ({
        kind: 'field',
        name: property,
        attribute: name,
        reflects: true,
        type: { text: `${type} | undefined` },
        description,
      })),
      ...properties.map(({ name, description }) => ({ kind: 'field', name, privacy: 'protected', description })),
    ],
    events: events.map(({ name, description, detail }) => ({
      name,
      type: { text: `CustomEvent<${typeOfDetail(detail)}>` },
      description,
    })),
    slots: [{ name: '', description: slot }],
    cssParts: parts.map(({ name, description }) => ({ name, description })),
    cssProperties: styles.map(({ name, defaultValue, description }) => ({
      name,
      description,
      ...(defaultValue !== null && { default: defaultValue }),
    })),
  };
}

/** Returns the TypeScript type of an event's detail. `detail` has the type and the description of each field. */
export const typeOfDetail = (detail) =>
  `{ ${Object.entries(detail)
    .map(([name, [type]]) => `${name}: ${type}`)
    .join('; ')} }`;

/** Returns the class name: `changer-feed` becomes `ChangerFeedElement`. */
export const classOf = (tag) => `${pascal(tag)}Element`;

/** Converts to PascalCase: `changer-feed` becomes `ChangerFeed`. */
export const pascal = (tag) => tag.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
