/** Paths that the server handles; any other navigation belongs to the app. */
const SERVER_PATHS =
  /^\/(api|assets|media|elements|feeds|dev|oembed|healthz|metrics|privacy|sitemap)(\/|\.|$)|\.(txt|xml|json|js|png|svg|ico|webmanifest)$/;

/** Returns true if a navigation to this path shows the app. */
export const isAppPath = (path: string): boolean => !SERVER_PATHS.test(path);
