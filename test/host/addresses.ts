import type { Page } from 'playwright-core';
import type { PageServer } from './page-server.ts';

/** The page of a web client, at its own address. */
export const WEB_CLIENT = 'https://web.telegram.org/k/';
/** An address of the app. */
export const APP = 'https://channels.example';

/**
 * Serves the page and scripts of a page server at an https origin, so that a page can embed the app across origins, as on the
 * internet.
 */
export async function serveAt(page: Page, address: string, server: PageServer): Promise<void> {
  const { origin } = new URL(address);
  await page.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = pathname.slice(pathname.lastIndexOf('/'));
    await route.fulfill({ response: await route.fetch({ url: server.origin + (file.endsWith('.js') ? file : pathname) }) });
  });
}
