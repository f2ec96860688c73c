import type { BrandAnswer } from '../../../../contract/operator.ts';
import type { OperatorApi } from '../../../api/operator-api.ts';
import { Loaded } from '../ListStates.tsx';
import { type SectionProps, useReading } from '../use-operator-api.ts';
import { BrandForm } from './BrandForm.tsx';

const readBrand = (api: OperatorApi) => api.brand();

/** Brand section: the name, the colour and the logo of the app. */
export function BrandSection({ show }: SectionProps) {
  const { state, reload } = useReading(readBrand);
  return (
    <Loaded state={state} reload={reload}>
      {(brand) => <BrandForm key={keyOf(brand)} brand={brand} show={show} reload={reload} />}
    </Loaded>
  );
}

/** Key of the form: the form is reset for each saved brand. */
const keyOf = ({ name, color, logo }: BrandAnswer): string => JSON.stringify([name, color, logo]);
