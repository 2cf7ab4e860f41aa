/**
 * The look of connect pages (spec: Connect-page branding; contract 16): its words, and how what several say becomes
 * one. Pure, and free of packages: pages import it too. The rules of single fields are in `branding-fields.ts`.
 */

/** The eight fields of the specification; null is unset. */
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

/** Styling of the button of a link (contract 16, `button`). */
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

/** Of a link or an embed session: a key that is present counts, null included. */
export type OwnBranding = Partial<Branding> & { readonly button?: ButtonStyle | null }

/** What a page is drawn with. */
export interface ResolvedBranding extends Branding {
  readonly button: ButtonStyle | null
}

/** Where each field may come from, first hit wins (contract 16, Precedence). Null where there is no such source. */
export interface BrandingSources {
  /** The cosmetic query, already read: only what is valid. */
  readonly query: Partial<Branding> | null
  /** `brandingOverride` of the embed session that framed the page. */
  readonly override: OwnBranding | null
  /** The snapshot of the link. */
  readonly link: OwnBranding | null
  /** The tenant's, read now. */
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

/** What is drawn where nothing at all is said. */
export const DEFAULT_LOOK: ResolvedBranding = { ...DEFAULT_BRANDING, button: null }

/**
 * Each field by itself, first hit wins (contract 16, Precedence): the query; the embed session's and the link's where
 * the key is present, null included; the tenant's where it is not null; the default. `button` comes from the embed
 * session or the link alone.
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

/** The nearer of embed session and link that says anything of a key. */
function ownOf({ override, link }: BrandingSources, key: keyof OwnBranding): OwnBranding | undefined {
  return [override, link].find((own): own is OwnBranding => own !== null && own[key] !== undefined)
}
