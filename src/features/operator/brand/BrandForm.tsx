/* Brand form: name, colour and logo of the site. */
import { type FormEvent, useEffect, useId, useState } from 'react';
import type { BrandChange, BrandResponse } from '../../../../contract/operator.ts';
import type { OperatorApi } from '../../../api/operator-api.ts';
import { useServices } from '../../../context/services.ts';
import { toRequestFailure } from '../../../data/connection/connection.ts';
import { useUnsavedWarning } from '../../../hooks/use-unsaved-warning.ts';
import { useMsg } from '../../../i18n/i18n.ts';
import { type OperatorSectionProps, useFailureText, useOperatorCall } from '../use-operator-api.ts';
import { BrandPreview } from './BrandPreview.tsx';
import { readLogoFile } from './logo-file.ts';
import { refreshShell } from './refresh-shell.ts';

interface BrandFormProps extends Pick<OperatorSectionProps, 'show'> {
  readonly brand: BrandResponse;
  readonly reload: () => Promise<unknown>;
}

/** Pending change of the logo. */
type LogoChoice = { readonly type: 'as-it-is' } | { readonly type: 'none' } | { readonly type: 'new'; readonly file: File };

/** Brand form; warns before the operator leaves it with unsaved changes. */
export function BrandForm({ brand, show, reload }: BrandFormProps) {
  const { msg } = useMsg();
  const id = useId();
  const [name, setName] = useState(brand.name);
  const [color, setColor] = useState(brand.color);
  const [logo, setLogo] = useState<LogoChoice>({ type: 'as-it-is' });
  const logoUrl = useLogoPreview(logo, brand.logo);
  const { busy, error, send } = useBrandRequest({ show, reload });
  useUnsavedWarning(name !== brand.name || color !== brand.color || logo.type !== 'as-it-is');
  const save = (event: FormEvent) => {
    event.preventDefault();
    void send(async (api) => {
      const change: BrandChange = { name, color, ...(await logoChange(logo)) };
      await api.setBrand(change);
    });
  };
  return (
    <form className="operator-brand" onSubmit={save} aria-describedby={`${id}-error`}>
      <BrandPreview name={name} color={color} logo={logoUrl} />
      <div className="field">
        <label htmlFor={`${id}-name`}>{msg('Name')}</label>
        <input
          id={`${id}-name`}
          dir="auto"
          required
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-color`}>{msg('Colour')}</label>
        <span className="color-field">
          <input
            id={`${id}-color`}
            type="color"
            value={color}
            onChange={(event) => setColor(event.currentTarget.value.toLowerCase())}
          />
          <bdi dir="ltr">{color}</bdi>
        </span>
        <small>{msg('Made lighter or darker where it would be hard to read.')}</small>
      </div>
      <LogoField id={`${id}-logo`} canRemove={logoUrl !== null} onChange={setLogo} />
      <p id={`${id}-error`} className="error" role="alert">
        {error !== null && <bdi>{error}</bdi>}
      </p>
      <div className="operator-ways">
        <button type="submit" className="button" disabled={busy}>
          {msg('Save')}
        </button>
        {brand.changed && (
          <button type="button" className="button outline" disabled={busy} onClick={() => void send((api) => api.resetBrand())}>
            {msg('Back to the settings’ brand')}
          </button>
        )}
      </div>
    </form>
  );
}

interface LogoFieldProps {
  readonly id: string;
  /** True if there is a logo to remove. */
  readonly canRemove: boolean;
  readonly onChange: (logo: LogoChoice) => void;
}

function LogoField({ id, canRemove, onChange }: LogoFieldProps) {
  const { msg } = useMsg();
  return (
    <div className="field">
      <label htmlFor={id}>{msg('Logo')}</label>
      <input
        id={id}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) onChange({ type: 'new', file });
        }}
      />
      <small>{msg('PNG, JPEG or WebP, at most 512 kB, best square with 512 pixels.')}</small>
      {canRemove && (
        <button type="button" className="link" onClick={() => onChange({ type: 'none' })}>
          {msg('Remove the logo')}
        </button>
      )}
    </div>
  );
}

/** Sends a change of the brand, then shows a toast; `error` is the text of the last failure. */
function useBrandRequest({ show, reload }: Pick<BrandFormProps, 'show' | 'reload'>) {
  const { msg } = useMsg();
  const { host } = useServices();
  const call = useOperatorCall();
  const failureText = useFailureText();
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const send = async (request: (api: OperatorApi) => Promise<unknown>) => {
    setBusy(true);
    setError(null);
    try {
      await call(request);
      await refreshShell();
      const reloadPage = { label: msg('Reload'), run: () => location.reload() };
      host.haptic('success');
      show({ text: msg('Saved. Readers see it when they next open the app.'), action: reloadPage });
      await reload();
    } catch (thrown) {
      host.haptic('error');
      setError(failureText(toRequestFailure(thrown)));
    }
    setBusy(false);
  };
  return { busy, error, send };
}

/** Returns the logo field of a brand change; an empty object leaves the logo unchanged. */
async function logoChange(logo: LogoChoice): Promise<Pick<BrandChange, 'logo'>> {
  switch (logo.type) {
    case 'as-it-is':
      return {};
    case 'none':
      return { logo: null };
    case 'new':
      return { logo: await readLogoFile(logo.file) };
  }
}

/** Returns the URL of the logo to show: the chosen file's, or the current one. */
function useLogoPreview(logo: LogoChoice, current: string | undefined): string | null {
  const [fileUrl, setFileUrl] = useState<string | null>(null);
  const file = logo.type === 'new' ? logo.file : null;
  useEffect(() => {
    if (file === null) return;
    const url = URL.createObjectURL(file);
    setFileUrl(url);
    return () => URL.revokeObjectURL(url);
  }, [file]);
  if (logo.type === 'none') return null;
  return logo.type === 'new' ? fileUrl : (current ?? null);
}
