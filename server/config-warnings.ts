import { distance } from 'fastest-levenshtein';
import { type Config, SETTING_NAMES } from './config.ts';
import { isDirectory } from './storage/data-dir.ts';

/**
 * Configuration warnings: returns one sentence for each setting that is valid but does not do what its operator
 * expects. `names` are all variables that are set.
 */
export async function findConfigWarnings(config: Config, names: readonly string[]): Promise<readonly string[]> {
  const warnings = names.flatMap((name) => {
    const similar = findSimilarSetting(name);
    return similar === null ? [] : [`${name} is not a setting and is ignored: did you mean ${similar}?`];
  });
  if (config.operatorIds.size > 0 && config.botToken === null)
    warnings.push('OPERATOR_IDS is set without BOT_TOKEN: users cannot sign in, so there is no operator.');
  if (config.s3 === null && names.some((name) => name.startsWith('S3_') && SETTING_NAMES.includes(name)))
    warnings.push('S3_ settings are set without S3_BUCKET and are ignored: media files are stored in DATA_DIR.');
  if (config.botApiFiles === null) return warnings;
  if (config.botApiRoot === null)
    warnings.push('BOT_API_FILES is set without BOT_API_ROOT: only a Bot API server on this machine stores files in a folder.');
  if (!(await isDirectory(config.botApiFiles)))
    warnings.push(`BOT_API_FILES is ${config.botApiFiles}, which is not a readable directory.`);
  return warnings;
}

/** Maximum number of wrong characters in a misspelt name. */
const MAX_TYPOS = 2;
/** Shorter names must match exactly, because two wrong characters would match many other words. */
const MIN_LENGTH_WITH_TYPOS = 8;

/**
 * Returns the setting that a variable's name misspells, the most similar one. Returns null for a correct name, and for
 * a name that is far from all settings.
 */
function findSimilarSetting(name: string): string | null {
  if (SETTING_NAMES.includes(name)) return null;
  const normalizedName = normalizeSettingName(name);
  const [mostSimilar] = SETTING_NAMES.map((setting) => ({
    setting,
    typos: distance(normalizedName, normalizeSettingName(setting)),
    maxTypos: setting.length < MIN_LENGTH_WITH_TYPOS ? 0 : MAX_TYPOS,
  }))
    .filter(({ typos, maxTypos }) => typos <= maxTypos)
    .sort((a, b) => a.typos - b.typos);
  return mostSimilar?.setting ?? null;
}

/** Normalizes a name: names that differ only in case and separators become equal. */
const normalizeSettingName = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '');
