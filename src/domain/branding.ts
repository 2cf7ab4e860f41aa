/**
 * The look of connect pages ([branding.fields.1] to [branding.button.5]): its words, and how values from several places
 * become one. Pure, and free of packages: pages import it too. The rules of single fields are in `branding-fields.ts`.
 */

/** The eight fields of a tenant's brand ([branding.fields.1] to [branding.fields.8]); null when unset. */
export interface Branding {
  readonly logoUrl: string | null
  readonly primaryColor: string | null
  readonly backgroundColor: string | null
  readonly companyName: string | null
  readonly subtitle: string | null
  readonly supportUrl: string | null
  readonly defaultRedirectUrl: string | null
  readonly hidePilotStatusBranding: boolean
}

export type BrandingField = keyof Branding

/** The styling of the button of a link ([branding.button.1]). */
export interface ButtonStyle {
  readonly label?: string
  readonly backgroundColor?: string
  readonly textColor?: string
  readonly borderColor?: string
  /** CSS pixels, 0-32. */
  readonly borderRadius?: number
  readonly size?: 'small' | 'medium' | 'large'
  readonly fullWidth?: boolean
  readonly icon?: boolean
}

/** The look that a link or an embed session sets for itself: a key that is present counts, null included. */
export type OwnBranding = Partial<Branding> & { readonly button?: ButtonStyle | null }

/** The look that a page is drawn with. */
export interface ResolvedBranding extends Branding {
  readonly button: ButtonStyle | null
}

/**
 * The places that a field may come from; the first hit wins ([branding.precedence.1]). Null where there is no such
 * place.
 */
export interface BrandingSources {
  /** The look that was read from the query: only what is valid. */
  readonly query: Partial<Branding> | null
  /** The `brandingOverride` of the embed session that framed the page. */
  readonly override: OwnBranding | null
  /** The link's snapshot. */
  readonly link: OwnBranding | null
  /** The tenant's look, read now. */
  readonly tenant: Branding | null
}

export const DEFAULT_BRANDING: Branding = {
  logoUrl: null,
  primaryColor: null,
  backgroundColor: null,
  companyName: null,
  subtitle: null,
  supportUrl: null,
  defaultRedirectUrl: null,
  hidePilotStatusBranding: false,
}

/** The look where no place says anything. */
export const DEFAULT_LOOK: ResolvedBranding = { ...DEFAULT_BRANDING, button: null }

/**
 * Resolves each field by itself, first hit wins ([branding.precedence.2] to [branding.precedence.7]): the query; the
 * embed session's and the link's where the key is present, null included; the tenant's where it is not null; the
 * default. `button` comes from the embed session or the link alone.
 */
export function resolveBranding(sources: BrandingSources): ResolvedBranding {
  const resolve = <F extends BrandingField>(field: F): Branding[F] => fieldOf(sources, field) ?? DEFAULT_BRANDING[field]
  return {
    logoUrl: resolve('logoUrl'),
    primaryColor: resolve('primaryColor'),
    backgroundColor: resolve('backgroundColor'),
    companyName: resolve('companyName'),
    subtitle: resolve('subtitle'),
    supportUrl: resolve('supportUrl'),
    defaultRedirectUrl: resolve('defaultRedirectUrl'),
    hidePilotStatusBranding: resolve('hidePilotStatusBranding'),
    button: ownOf(sources, 'button')?.button ?? null,
  }
}

function fieldOf<F extends BrandingField>(sources: BrandingSources, field: F): Branding[F] | undefined {
  const { query, tenant } = sources
  const asked = query?.[field]
  if (asked !== undefined && asked !== null) return asked as Branding[F]
  const own = ownOf(sources, field)
  return own ? (own[field] as Branding[F]) : tenant?.[field]
}

/** Finds the first of embed session and link that has the key. */
function ownOf({ override, link }: BrandingSources, key: keyof OwnBranding): OwnBranding | undefined {
  return [override, link].find((own): own is OwnBranding => own !== null && own[key] !== undefined)
}
