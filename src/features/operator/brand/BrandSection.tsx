import type { BrandResponse } from '../../../../contract/operator.ts';
import type { OperatorApi } from '../../../api/operator-api.ts';
import { LoadableContent } from '../ListStates.tsx';
import { type OperatorSectionProps, useOperatorQuery } from '../use-operator-api.ts';
import { BrandForm } from './BrandForm.tsx';

const loadBrand = (api: OperatorApi) => api.brand();

/** Brand section: the name, the colour and the logo of the app. */
export function BrandSection({ show }: OperatorSectionProps) {
  const { state, reload } = useOperatorQuery(loadBrand);
  return (
    <LoadableContent state={state} reload={reload}>
      {(brand) => <BrandForm key={formKeyOf(brand)} brand={brand} show={show} reload={reload} />}
    </LoadableContent>
  );
}

/** Returns the React key of the form. Each saved brand has another key, which resets the form. */
const formKeyOf = ({ name, color, logo }: BrandResponse): string => JSON.stringify([name, color, logo]);
