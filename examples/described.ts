/** Parsers of the examples page: the manifest of the tags (`custom-elements.json`) and the pinned versions. */
import { list, nullable, number, optional, type Parse, shape, string } from '../contract/shape.ts';

/** Name and description of an attribute, event, slot, part or property, as in `custom-elements.json`. */
export interface Described {
  readonly name: string;
  readonly description?: string;
  readonly default?: string;
  readonly type?: { readonly text: string };
}

/** Custom elements manifest: one tag, as `custom-elements.json` describes it. */
export interface DescribedTag {
  readonly tagName: string;
  readonly description: string;
  readonly attributes: readonly Described[];
  readonly events: readonly Described[];
  readonly slots: readonly Described[];
  readonly cssParts: readonly Described[];
  readonly cssProperties: readonly Described[];
}

/** Pinned version of the tags, which never changes, and its files with their integrity hashes. */
export interface Version {
  readonly version: string;
  readonly until: string | null;
  readonly files: ReadonlyMap<string, { readonly integrity: string; readonly bytes: number }>;
}

const described = list(
  shape<Described>({
    name: string,
    description: optional(string),
    default: optional(string),
    type: optional(shape<{ text: string }>({ text: string })),
  }),
);

const tag = shape<DescribedTag>({
  tagName: string,
  description: string,
  attributes: described,
  events: described,
  slots: described,
  cssParts: described,
  cssProperties: described,
});

const manifest = shape<{ modules: { declarations: DescribedTag[] }[] }>({
  modules: list(shape<{ declarations: DescribedTag[] }>({ declarations: list(tag) })),
});

/** Parses the tags of `custom-elements.json`. */
export const parseTags: Parse<DescribedTag[]> = (raw, at) =>
  manifest(raw, at).modules.flatMap(({ declarations }) => declarations);

const file = shape<{ integrity: string; bytes: number }>({ integrity: string, bytes: number });

/** Parses the versions of `versions.json`. */
export const parseVersions: Parse<Version[]> = (raw, at) =>
  shape<{ versions: Version[] }>({
    versions: list(
      shape<Version>({
        version: string,
        until: nullable(string),
        files: (files, place) =>
          new Map(
            Object.entries(typeof files === 'object' && files !== null ? files : {}).map(([name, each]) => [
              name,
              file(each, `${place}.${name}`),
            ]),
          ),
      }),
    ),
  })(raw, at).versions;
