declare const self: ServiceWorkerGlobalScope & {
  /** Put in place by the build. */
  readonly __WB_MANIFEST: readonly { readonly url: string; readonly revision: string | null }[];
};

/** Every file that the app needs offline, but for the shell; a null revision says that the name holds a hash. */
export const FILES = self.__WB_MANIFEST;

/** The shell's address, put in place by the server, which writes its settings into the shell. */
export const SHELL = '__SHELL__';
