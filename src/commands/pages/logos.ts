import { logosUrl } from '../../domain/branding-fields.ts'
import { succeed } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import type { TenantId } from '../../domain/ids.ts'
import { isLogoKey } from '../../domain/logo.ts'
import type { KeptLogo, SentLogo } from '../../ports/logo-files.ts'
import type { StoredLogo } from '../../ports/stores/branding-store.ts'
import type { PagePorts } from './ports.ts'

export interface UploadedLogo extends KeptLogo {
  /** The address for `logoUrl`. */
  readonly url: string
}

/** Our choice: rows that one turn takes. */
const PURGED = 200

/** Keeps a picture as a logo of the tenant. Refusals: UNSUPPORTED_MEDIA_TYPE, IMAGE_INVALID, BUSY. */
export async function keepLogo(
  { branding, logos, baseUrl }: PagePorts,
  tenantId: TenantId,
  sent: SentLogo,
): Promise<Outcome<UploadedLogo>> {
  const kept = await logos.keep(tenantId, sent)
  if (!kept.ok) return kept
  try {
    await branding.addLogo({ ...kept.value, tenantId })
  } catch (error) {
    await logos.remove(kept.value.key)
    throw error
  }
  return succeed({ url: logosUrl(baseUrl) + kept.value.key, ...kept.value })
}

/** Finds a kept logo and its file; answers null when the key is unknown or the file is gone. */
export async function findLogo(
  { branding, logos }: PagePorts,
  key: string,
): Promise<(StoredLogo & { readonly path: string }) | null> {
  const row = isLogoKey(key) ? await branding.findLogo(key) : null
  const path = row && (await logos.find(key))
  return row && path !== null ? { ...row, path } : null
}

/** Removes logos that nothing has referred to for 30 days ([branding.logo.7]). Answers whether there may be more. */
export async function purgeLogos({ branding, logos }: PagePorts): Promise<boolean> {
  const gone = await branding.takeUnreferencedLogos(PURGED)
  for (const { key } of gone) await logos.remove(key)
  return gone.length === PURGED
}
