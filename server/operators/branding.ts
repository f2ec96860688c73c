import { BrandChange, BrandResponse } from '../../contract/operator.ts';
import { requireOperator } from '../auth/identity.ts';
import type { App } from '../http/request.ts';
import { responses } from '../http/schemas.ts';
import { type AuditDeps, createAuditEntry } from '../observability/audit-log.ts';
import type { ActiveBrand, BrandStore } from '../web/brand.ts';

/** Services that this module uses. */
export type BrandingDeps = AuditDeps & {
  readonly brands: BrandStore;
};

/** Maximum size, bytes: a logo of 512 kB in base64, and the other fields. */
const MAX_BRAND_BYTES = 1024 * 1024;

/** Branding routes: the app's name, colour and logo. */
export function brandRoutes(app: App, deps: BrandingDeps): void {
  const tags = ['operator'];

  app.get(
    '/api/operator/brand',
    { schema: { summary: 'Get the brand', tags, response: responses(BrandResponse) } },
    async (request, reply) => {
      requireOperator(request, reply);
      await deps.brands.refresh();
      return toBrandResponse(deps.brands.get());
    },
  );

  app.put(
    '/api/operator/brand',
    {
      bodyLimit: MAX_BRAND_BYTES,
      schema: { summary: 'Change the brand', tags, body: BrandChange, response: responses(BrandResponse) },
    },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      return toBrandResponse(
        await deps.brands.change(request.body, (detail) => createAuditEntry(deps, reader, 'brand', { detail })),
      );
    },
  );

  app.delete(
    '/api/operator/brand',
    { schema: { summary: 'Reset the brand to the settings', tags, response: responses(BrandResponse) } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const brand = await deps.brands.reset((detail) => createAuditEntry(deps, reader, 'brand-reset', { detail }));
      return toBrandResponse(brand);
    },
  );
}

const toBrandResponse = ({ name, color, logo, isCustomized }: ActiveBrand): BrandResponse => ({
  name,
  color,
  changed: isCustomized,
  ...(logo && { logo: `/icon-192.png?v=${logo.mark}` }),
});
