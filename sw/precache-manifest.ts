declare const self: ServiceWorkerGlobalScope & {
  /** Precache manifest: the list of files, injected by the build. */
  readonly __WB_MANIFEST: readonly { readonly url: string; readonly revision: string | null }[];
};

/**
 * All files that the app needs offline, except the shell. A null revision means that the file's name contains a hash.
 */
export const PRECACHE_FILES = self.__WB_MANIFEST;

/** Path of the shell. The server injects it, because it writes its settings into the shell. */
export const SHELL_PATH = '__SHELL__';
